#pragma once

#include "data/encoder/curve_scale.h"
#include "data/encoder/encoder.h"

namespace softwood {

/// Where a raw number sits on the trees' scale of a column:
///   curve   between the edges; NaN is missing
///   levels  the index of a level; −1 is the level "other", NaN is missing; slope 0
///   linear  (x − mean) / sd; NaN is missing, at the mean with slope 0
/// Throws Error for anything else in a column of levels, with the column's name.
ScalePlace input_place(const EncodedColumn& column, double value);

/// linear: (x − mean) / sd, bounded so that products with weights are finite; missing is 0.
ScalePlace linear_place(const EncodedColumn& column, double value);

/// The raw number that stands for a position of a column of levels.
double level_input(const EncodedColumn& column, float position);

}  // namespace softwood
