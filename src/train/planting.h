#pragma once

#include "base/aligned_vector.h"
#include "data/encoder.h"
#include "train/settings.h"
#include "tree/ensemble.h"

namespace softwood {

/// What the trees need to know of an encoded column: knots, slope and the features' means over
/// `rows` (the training rows), which centre them.
ColumnBasis column_basis(const EncodedColumn& column, std::span<const float> positions);

/// The ensemble of these settings: wide trees, or narrow ones on random columns.
EnsembleShape plan_ensemble(const Settings& settings, std::vector<ColumnBasis> columns,
                            std::size_t num_outputs);

/// The parameters that training starts from: splits Glorot-uniform, biases 0, leaves small.
AlignedVector<float> initial_parameters(const Ensemble& ensemble, std::uint64_t seed);

}  // namespace softwood
