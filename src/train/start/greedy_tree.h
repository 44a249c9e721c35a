#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/views.h"
#include "data/encoder/encoder.h"
#include "train/start/greedy_knots.h"
#include "train/start/greedy_split.h"
#include "train/start/greedy_start.h"

namespace softwood {

/// A tree and the leaf that each of the rows it was grown on falls into.
struct GrownTree {
  HardTree tree;
  std::vector<std::uint32_t> leaf_of_row;
};

/// Grows hard trees level by level on one set of rows.
class TreeGrower {
 public:
  /// `encoded` and `columns` (the same ones as knots, of `num_rows` rows): borrowed.
  TreeGrower(std::span<const EncodedColumn> encoded, std::span<const KnotColumn> columns,
             std::size_t num_rows, std::size_t num_outputs, const GreedyOptions& options,
             RandomStream random);

  /// `row_sums`: [rows × RowSums::width].
  GrownTree grow(MatrixView<const float> row_sums);

 private:
  struct Node {
    std::size_t begin = 0, end = 0;  // of rows_
    std::vector<double> sums{};
    bool closed = false;  // not to be split: it and its descendants are one leaf
  };

  Node make_node(MatrixView<const float> row_sums, std::size_t begin, std::size_t end) const;
  std::vector<std::uint32_t> draw_columns();
  /// Splits nodes_[index] and appends both children.
  std::optional<HardSplit> grow_node(MatrixView<const float> row_sums, std::size_t index);
  HardSplit as_encoded(const KnotSplit& split) const;
  void add_leaf(const Node& node, HardTree& tree) const;

  std::span<const EncodedColumn> encoded_;
  std::span<const KnotColumn> columns_;
  std::size_t num_outputs_;
  GreedyOptions options_;
  RandomStream random_;
  std::uint64_t num_draws_ = 0;
  SplitFinder finder_;
  std::vector<std::uint32_t> rows_;  // those of a node stand together, ascending
  std::vector<Node> nodes_;          // breadth first
};

}  // namespace softwood
