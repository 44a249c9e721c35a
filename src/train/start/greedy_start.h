#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "data/encoder/encoder.h"
#include "task/tasks.h"
#include "train/prepare/examples.h"

namespace softwood {

/// One split of a hard tree: which rows go left.
struct HardSplit {
  std::uint32_t column = 0;   ///< index of the encoded column
  float threshold = 0;        ///< curve, linear: positions below it go left
  bool missing_left = false;  ///< curve: where rows without a value go
  std::vector<bool> left{};   ///< levels: per knot, whether it goes left
};

/// A hard tree of full depth.
struct HardTree {
  /// Breadth first (children of i: 2i + 1 left, 2i + 2 right). None: nothing is gained by
  /// splitting, and all leaves below have one value.
  std::vector<std::optional<HardSplit>> splits;
  std::vector<double> leaves;  ///< [leaf][output]: what it adds to g

  /// The columns its splits use, each once, ascending.
  std::vector<std::uint32_t> columns() const;
};

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
