#pragma once

#include <span>
#include <vector>

#include "tree/tree_sums.h"

namespace softwood {

/// How many splits of a tree a row reaches with a probability above exactly zero: the mean over
/// trees and rows at every level, between 1 and 2^level. Found in plain code on so many of the rows
/// as take a moment, evenly spaced; empty if there are no trees or no rows. Of the logistic
/// function all are reached.
std::vector<double> mean_node_visits(const Ensemble& ensemble, std::span<const float> values,
                                     const ChosenRows& chosen);

/// The sum over levels divided by the number of splits of such a tree, 2^levels − 1.
double share_visited(std::span<const double> visits_by_level);

}  // namespace softwood
