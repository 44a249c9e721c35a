#pragma once

#include <functional>
#include <span>

#include "train/start/hard_tree.h"
#include "tree/ensemble.h"

namespace softwood {

/// Writes a hard tree, made soft, as tree `tree` of bundle `bundle` into `parameters` (a whole
/// ensemble buffer): a split's score rises from −4 to 4 over a few bins around its threshold, its
/// leaves are kept. `finest`: for every encoded column, its place among the ensemble's columns.
void soften_tree(const Ensemble& ensemble, std::size_t bundle, std::size_t tree,
                 const HardTree& hard, std::span<const std::uint32_t> finest,
                 std::span<float> parameters);

/// A split of a column at a random place; `draw` gives numbers in [0, 1).
HardSplit random_split(std::uint32_t column, const ColumnBasis& basis,
                       const std::function<double()>& draw);

}  // namespace softwood
