#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "data/encoder/encoder.h"
#include "task/tasks.h"
#include "train/prepare/examples.h"
#include "train/start/hard_tree.h"

namespace softwood {

struct GreedyOptions {
  std::size_t num_trees = 48;
  int depth = 3;
  std::size_t num_rows = 4000;  ///< drawn at random; all if there are fewer
  double learning_rate = 0.1;
  double lambda = 1;          ///< added to every leaf's curvature
  double column_share = 0.7;  ///< of the columns, drawn for each node
};

/// Where narrow trees start: a small histogram booster, one round per tree, on the tasks' own
/// losses in units (g = 0 at first). Any loss, any number of outputs and tasks; a missing response
/// takes no part. `stream` tells several starts of one seed apart. Same arguments, same trees.
/// `stop_check` (see make_stop_check()) is called all along.
std::vector<HardTree> grow_greedy_trees(const Tasks& tasks, std::span<const EncodedColumn> columns,
                                        const Examples& training, const GreedyOptions& options,
                                        std::uint64_t seed, std::uint64_t stream,
                                        const std::function<void()>& stop_check = {});

}  // namespace softwood
