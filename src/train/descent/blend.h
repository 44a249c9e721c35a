#pragma once

#include <span>
#include <vector>

#include "task/responses.h"
#include "train/prepare/examples.h"

namespace softwood {

/// What groups of trees make of some rows, for one task. All borrowed.
struct BlendTask {
  const Task* task = nullptr;
  const Responses* responses = nullptr;
  std::span<const double> row_weights{};           ///< empty = all 1
  std::vector<std::span<const double>> scores{};  ///< per group, g [the task's outputs × rows]
};

/// The weights, zero or more, with which groups of trees are added: those of least loss of one task
/// on these rows. Without a response: equal weights of sum 1.
std::vector<double> find_blend(const BlendTask& task);

/// The same for each of several tasks whose groups correspond: what is best for all of them
/// together, and how a task differs from that as far as its own rows show it. Few rows cannot tell
/// the weights of every task apart.
std::vector<std::vector<double>> find_blends(std::span<const BlendTask> tasks);

}  // namespace softwood
