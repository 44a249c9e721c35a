#pragma once

#include <span>
#include <vector>

#include "task/responses.h"
#include "train/prepare/examples.h"

namespace softwood {

/// The weights, zero or more, with which groups of trees are added: those of least loss of one task
/// on these rows. `scores`: per group, g [the task's outputs × rows]. Without a response: equal
/// weights of sum 1. `is_wary`: weights whose sum is above 1 make all that the groups say stronger,
/// and must be worth it: rows that happen to be easy must not make a classifier too sure of itself.
std::vector<double> find_blend(const Task& task, const Responses& responses,
                               std::span<const double> row_weights,
                               const std::vector<std::span<const double>>& scores, bool is_wary);

}  // namespace softwood
