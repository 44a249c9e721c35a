#pragma once

#include <vector>

#include "data/encoder/encoder.h"
#include "tree/ensemble.h"
#include "tree/kept_knots.h"

namespace softwood {

/// What a prediction needs to know of an encoded column on one of its scales: its knots. Slopes and
/// means are 0: they are in the curves' values already.
ColumnBasis prediction_basis(const EncodedColumn& column, const ColumnScale& scale);

/// All of Encoder::scales().
std::vector<ColumnBasis> prediction_bases(const Encoder& encoder);

/// Where their curves' edges stand, by the columns' own numbers.
KnotPlaces knot_places(const Encoder& encoder);

}  // namespace softwood
