#pragma once

#include <vector>

#include "tree/tree_sums.h"

namespace softwood {

/// Per column of an ensemble, how much some rows have to do with each of its knots: their shares of
/// the rows (a row between two knots has its part in both), which add up to 1. A knot that no row
/// is near has a little, too.
using KnotWeights = std::vector<std::vector<double>>;
KnotWeights knot_weights(const std::vector<ColumnBasis>& columns, const ChosenRows& chosen);

}  // namespace softwood
