#include "train/start/greedy_start.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random.h"
#include "train/start/greedy_gradients.h"
#include "train/start/greedy_knots.h"
#include "train/start/greedy_tree.h"

namespace softwood {
namespace {

bool has_something_to_learn(const Tasks& tasks, const Examples& examples, std::size_t row) {
  if (examples.weight(row) == 0) return false;
  return std::any_of(tasks.begin(), tasks.end(), [&](const Task& task) {
    return !std::isnan(examples.responses[task.index_in_model].y[row]);
  });
}

/// At most `count` of the rows that have a response, ascending.
std::vector<std::uint32_t> draw_rows(const Tasks& tasks, const Examples& examples,
                                     std::size_t count, const RandomStream& random) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < examples.size(); ++row) {
    if (has_something_to_learn(tasks, examples, row)) rows.push_back(row);
  }
  if (rows.size() <= count) return rows;
  for (std::size_t at = 0; at < count; ++at) {
    std::swap(rows[at], rows[at + random.below(at, rows.size() - at)]);
  }
  rows.resize(count);
  std::sort(rows.begin(), rows.end());
  return rows;
}

void add_leaves(const GrownTree& grown, std::size_t num_outputs, std::vector<double>& g) {
  const std::size_t num_rows = grown.leaf_of_row.size();
  for (std::size_t output = 0; output < num_outputs; ++output) {
    for (std::size_t row = 0; row < num_rows; ++row) {
      g[output * num_rows + row] +=
          grown.tree.leaves[grown.leaf_of_row[row] * num_outputs + output];
    }
  }
}

/// Without rows there is nothing to learn.
HardTree tree_of_zeros(int depth, std::size_t num_outputs) {
  const std::size_t num_leaves = std::size_t{1} << depth;
  return {.splits = std::vector<std::optional<HardSplit>>(num_leaves - 1),
          .leaves = std::vector<double>(num_leaves * num_outputs, 0.0)};
}

}  // namespace

std::vector<HardTree> grow_greedy_trees(const Tasks& tasks, std::span<const EncodedColumn> columns,
                                        const Examples& training, const GreedyOptions& options,
                                        std::uint64_t seed, std::uint64_t stream,
                                        const std::function<void()>& stop_check) {
  const std::vector<std::uint32_t> rows =
      draw_rows(tasks, training, options.num_rows, RandomStream(seed, "greedy rows", stream));
  const std::size_t num_outputs = tasks.num_outputs();
  if (rows.empty()) {
    return std::vector<HardTree>(options.num_trees, tree_of_zeros(options.depth, num_outputs));
  }
  std::vector<KnotColumn> knots;
  std::vector<std::uint32_t> table_rows;
  for (const std::uint32_t row : rows) table_rows.push_back(training.rows[row]);
  for (std::size_t column = 0; column < columns.size(); ++column) {
    knots.push_back(make_knot_column(columns[column], training.positions.row(column), table_rows));
  }
  GreedyGradients gradients(tasks, training, rows, stop_check);
  TreeGrower grower(columns, knots, rows.size(), num_outputs, options,
                    RandomStream(seed, "greedy columns", stream));
  std::vector<double> g(num_outputs * rows.size(), 0.0);
  std::vector<HardTree> trees;
  while (trees.size() < options.num_trees) {
    if (stop_check) stop_check();
    GrownTree grown = grower.grow(gradients.evaluate(g));
    add_leaves(grown, num_outputs, g);
    trees.push_back(std::move(grown.tree));
  }
  return trees;
}

}  // namespace softwood
