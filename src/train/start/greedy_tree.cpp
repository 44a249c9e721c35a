#include "train/start/greedy_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "train/start/greedy_gradients.h"

namespace softwood {
namespace {

/// What one tree may add to g, so that no loss, however odd, is thrown far off.
constexpr double kLargestLeaf = 1;

/// Five, or a hundredth of few rows.
double min_rows_of_child(std::size_t num_rows) {
  return static_cast<double>(std::clamp<std::size_t>(num_rows / 100, 1, 5));
}

}  // namespace

TreeGrower::TreeGrower(std::span<const EncodedColumn> encoded, std::span<const KnotColumn> columns,
                       std::size_t num_rows, std::size_t num_outputs, const GreedyOptions& options,
                       RandomStream random)
    : encoded_(encoded),
      columns_(columns),
      num_outputs_(num_outputs),
      options_(options),
      random_(random),
      finder_(columns, num_outputs, options.lambda, min_rows_of_child(num_rows)),
      rows_(num_rows) {}

GrownTree TreeGrower::grow(MatrixView<const float> row_sums) {
  GrownTree grown;
  std::iota(rows_.begin(), rows_.end(), 0U);
  nodes_ = {make_node(row_sums, 0, rows_.size())};
  const std::size_t num_leaves = std::size_t{1} << options_.depth;
  for (std::size_t index = 0; index + 1 < num_leaves; ++index) {
    grown.tree.splits.push_back(grow_node(row_sums, index));
  }
  grown.leaf_of_row.resize(rows_.size());
  for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
    const Node& node = nodes_[num_leaves - 1 + leaf];
    add_leaf(node, grown.tree);
    // The leaves of a closed node share its rows and its value: any of them will do.
    for (std::size_t at = node.begin; at < node.end; ++at) {
      grown.leaf_of_row[rows_[at]] = static_cast<std::uint32_t>(leaf);
    }
  }
  return grown;
}

TreeGrower::Node TreeGrower::make_node(MatrixView<const float> row_sums, std::size_t begin,
                                       std::size_t end) const {
  Node node{.begin = begin, .end = end, .sums = std::vector<double>(row_sums.cols, 0.0)};
  for (std::size_t at = begin; at < end; ++at) {
    const std::span<const float> row = row_sums.row(rows_[at]);
    for (std::size_t sum = 0; sum < row.size(); ++sum)
      node.sums[sum] += static_cast<double>(row[sum]);
  }
  return node;
}

/// A share of the columns, ascending, other ones in each call.
std::vector<std::uint32_t> TreeGrower::draw_columns() {
  std::vector<std::uint32_t> drawn(columns_.size());
  std::iota(drawn.begin(), drawn.end(), 0U);
  const auto wanted = static_cast<std::size_t>(
      std::llround(options_.column_share * static_cast<double>(drawn.size())));
  const std::size_t count = std::clamp<std::size_t>(wanted, 1, drawn.size());
  for (std::size_t at = 0; at < count; ++at) {
    std::swap(drawn[at], drawn[at + random_.below(num_draws_++, drawn.size() - at)]);
  }
  drawn.resize(count);
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

std::optional<HardSplit> TreeGrower::grow_node(MatrixView<const float> row_sums,
                                               std::size_t index) {
  Node& node = nodes_[index];
  std::optional<KnotSplit> split;
  if (!node.closed && !columns_.empty()) {
    const std::span rows = std::span(rows_).subspan(node.begin, node.end - node.begin);
    split = finder_.find(row_sums, rows, node.sums, draw_columns());
  }
  if (!split) {
    node.closed = true;
    nodes_.insert(nodes_.end(), 2, Node(node));
    return std::nullopt;
  }
  const std::vector<std::uint32_t>& knots = columns_[split->column].knot_of_row;
  const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(node.begin);
  const auto middle =
      std::stable_partition(first, rows_.begin() + static_cast<std::ptrdiff_t>(node.end),
                            [&](std::uint32_t row) { return split->left[knots[row]]; });
  const auto boundary = static_cast<std::size_t>(middle - rows_.begin());
  const std::size_t begin = node.begin, end = node.end;
  nodes_.push_back(make_node(row_sums, begin, boundary));
  nodes_.push_back(make_node(row_sums, boundary, end));
  return as_encoded(*split);
}

HardSplit TreeGrower::as_encoded(const KnotSplit& split) const {
  HardSplit encoded{
      .column = split.column, .threshold = split.threshold, .missing_left = split.missing_left};
  const KnotColumn& column = columns_[split.column];
  if (column.is_ordered()) return encoded;
  encoded.left.assign(encoded_[split.column].num_knots(), split.most_rows_left);
  for (std::size_t knot = 0; knot < column.num_knots; ++knot) {
    encoded.left[column.levels[knot]] = split.left[knot];
  }
  return encoded;
}

void TreeGrower::add_leaf(const Node& node, HardTree& tree) const {
  for (std::size_t output = 0; output < num_outputs_; ++output) {
    const double gradient = node.sums[RowSums::gradient(output)];
    const double curvature = node.sums[RowSums::curvature(output)] + options_.lambda;
    const double step = curvature > 0 ? -options_.learning_rate * gradient / curvature : 0;
    tree.leaves.push_back(std::clamp(step, -kLargestLeaf, kLargestLeaf));
  }
}

}  // namespace softwood
