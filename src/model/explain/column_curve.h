#pragma once

#include <span>

#include "data/encoder/encoder.h"
#include "softwood/explain.h"
#include "tree/ensemble.h"

namespace softwood {

/// One column of a split in the user's units. `knots`: its values at the knots of `basis`, or its
/// weight. The strength is that over edges or levels; that of a linear column over the training
/// rows.
ColumnCurve column_curve(const EncodedColumn& column, const ColumnBasis& basis,
                         std::span<const double> knots);

}  // namespace softwood
