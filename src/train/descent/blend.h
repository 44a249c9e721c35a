#pragma once

#include <span>
#include <vector>

#include "task/responses.h"
#include "train/prepare/examples.h"

namespace softwood {

/// What is thought of the weights before the rows are asked.
struct BlendPrior {
  /// Per group, the weights that pull; empty: equal ones of sum 1.
  std::vector<double> usual = {};
  /// How hard: as much as so many rows whose loss a weight's change of 1 raises by as much as is
  /// still unexplained. Few validation rows should not throw a group out.
  double rows = 3;
  /// Weights whose sum is above 1 make all that the groups say stronger, and must be worth it: rows
  /// that happen to be easy must not make a classifier too sure of itself.
  bool is_wary = false;
};

/// Where no row tells more.
std::vector<double> usual_weights(const BlendPrior& prior, std::size_t num_groups);

/// The weights, zero or more, with which groups of trees are added: those of least loss of one task
/// on these rows. `scores`: per group, g [the task's outputs × rows]. Without a response: the usual
/// weights.
std::vector<double> find_blend(const Task& task, const Responses& responses,
                               std::span<const double> row_weights,
                               const std::vector<std::span<const double>>& scores,
                               const BlendPrior& prior);

}  // namespace softwood
