#pragma once

#include <span>
#include <vector>

#include "data/encoder/encoder.h"
#include "tree/ensemble.h"
#include "tree/tree_sums.h"

namespace softwood {

/// What the trees need to know of an encoded column on one of its scales: knots, slope and the
/// features' means over `positions` (of the training rows), which centre them.
ColumnBasis column_basis(const EncodedColumn& column, bool coarse,
                         std::span<const float> positions);

/// All of Encoder::scales(), over the training rows.
std::vector<ColumnBasis> column_bases(const Encoder& encoder, const ChosenRows& training);

}  // namespace softwood
