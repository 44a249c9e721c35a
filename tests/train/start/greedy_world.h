#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "data/encoder/curve_scale.h"
#include "loss/catalogue/find_loss.h"
#include "task/raw_outputs.h"
#include "train/all_rows.h"
#include "train/descent/examples_loss.h"
#include "train/start/greedy_start.h"

namespace softwood {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// A table in the making: encoded columns beside the responses they explain.
struct World {
  std::vector<EncodedColumn> columns{};
  Rows rows{};
  Examples examples{};
  Tasks tasks{};

  World() = default;
  World(const World& other) { *this = other; }
  World& operator=(const World& other) {
    columns = other.columns;
    rows = other.rows;
    examples = other.examples;
    tasks = other.tasks;
    examples.positions = rows.view();  // its own
    return *this;
  }

  std::size_t size() const { return examples.size(); }

  void add_positions(EncodedColumn column, const std::vector<float>& positions) {
    columns.push_back(std::move(column));
    rows.num_rows = positions.size();
    rows.num_columns = columns.size();
    rows.positions.insert(rows.positions.end(), positions.begin(), positions.end());
    examples.positions = rows.view();
    examples.rows = all_rows(rows.num_rows);
  }
  void add_curve(const std::vector<double>& values, int bins = 16) {
    std::vector<double> known;
    for (const double value : values) {
      if (!std::isnan(value)) known.push_back(value);
    }
    EncodedColumn column;
    column.edges = equal_frequency_edges(known, bins);
    std::vector<float> positions;
    for (const double value : values) positions.push_back(curve_position(column.edges, value));
    add_positions(column, positions);
  }
  void add_linear(const std::vector<float>& values) {
    EncodedColumn column;
    column.kind = EncodedColumn::Kind::linear;
    add_positions(column, values);
  }
  void add_levels(std::size_t num_levels, const std::vector<float>& levels) {
    EncodedColumn column;
    column.kind = EncodedColumn::Kind::levels;
    column.levels.resize(num_levels);
    add_positions(column, levels);
  }
  void add_task(const char* loss, std::vector<double> y, std::size_t num_classes = 2) {
    Task task;
    task.target = "y";
    task.program = LossProgram::compile(find_loss(loss), num_classes);
    examples.responses.push_back({.y = std::move(y), .columns = {}});
    task.units = find_units(task.program, examples.responses.back().view(), examples.weights);
    tasks.push_back(std::move(task));
  }
  std::size_t num_outputs() const { return tasks.num_outputs(); }

  std::vector<HardTree> grow(const GreedyOptions& options, std::uint64_t seed = 1,
                             std::uint64_t stream = 0) const {
    return grow_greedy_trees(tasks, columns, examples, options, seed, stream);
  }
};

inline std::vector<double> uniform_values(std::size_t count, std::uint64_t seed) {
  const RandomStream random(seed, "test values");
  std::vector<double> values;
  for (std::size_t row = 0; row < count; ++row) values.push_back(random.uniform(row));
  return values;
}

inline std::vector<double> map_values(const std::vector<double>& x,
                                      const std::function<double(double)>& function) {
  std::vector<double> y;
  for (const double value : x) y.push_back(function(value));
  return y;
}

/// As the header says, without looking at how trees are grown.
inline bool goes_left(const HardSplit& split, const EncodedColumn& column, float position) {
  if (column.kind == EncodedColumn::Kind::levels) {
    return split.left.at(static_cast<std::size_t>(position));
  }
  const bool is_curve = column.kind == EncodedColumn::Kind::curve;
  if (is_curve && position == static_cast<float>(column.edges.size())) return split.missing_left;
  return position < split.threshold;
}

/// Where splits are none, left or right must not matter: `detour` goes right.
inline std::size_t leaf_of(const HardTree& tree, const World& world, std::size_t row, bool detour) {
  std::size_t node = 0;
  while (node < tree.splits.size()) {
    const std::optional<HardSplit>& split = tree.splits[node];
    const bool left =
        split ? goes_left(*split, world.columns[split->column],
                          world.examples.positions(split->column, world.examples.rows[row]))
              : !detour;
    node = 2 * node + (left ? 1 : 2);
  }
  return node - tree.splits.size();
}

inline void add_tree(const HardTree& tree, const World& world, std::vector<double>& g) {
  const std::size_t outputs = world.num_outputs();
  for (std::size_t row = 0; row < world.size(); ++row) {
    const std::size_t leaf = leaf_of(tree, world, row, false);
    const std::size_t other = leaf_of(tree, world, row, true);
    for (std::size_t output = 0; output < outputs; ++output) {
      g[output * world.size() + row] += tree.leaves.at(leaf * outputs + output);
      ASSERT_EQ(tree.leaves.at(leaf * outputs + output), tree.leaves.at(other * outputs + output));
    }
  }
}

/// What training lowers: the tasks' mean losses, divided by their scales.
inline double total_loss(const World& world, std::vector<double> g) {
  const std::vector<double> means =
      mean_losses(world.tasks, world.examples, in_units(world.tasks, std::move(g)));
  double total = 0;
  for (std::size_t task = 0; task < means.size(); ++task) {
    total += means[task] / world.tasks[task].units.loss_scale;
  }
  return total;
}

inline std::vector<double> losses_by_round(const World& world, const std::vector<HardTree>& trees) {
  std::vector<double> g(world.num_outputs() * world.size(), 0.0);
  std::vector<double> losses = {total_loss(world, g)};
  for (const HardTree& tree : trees) {
    add_tree(tree, world, g);
    losses.push_back(total_loss(world, g));
  }
  return losses;
}

inline void expect_loss_falls(const World& world, double at_least, std::size_t num_rounds = 30) {
  const std::vector<double> losses =
      losses_by_round(world, world.grow({.num_trees = num_rounds, .column_share = 1}));
  for (std::size_t round = 1; round < losses.size(); ++round) {
    EXPECT_LT(losses[round], losses[round - 1]) << "round " << round;
  }
  EXPECT_LT(losses.back(), losses.front() - at_least);
}

inline bool same_trees(const std::vector<HardTree>& a, const std::vector<HardTree>& b) {
  const auto same_split = [](const std::optional<HardSplit>& p, const std::optional<HardSplit>& q) {
    if (!p || !q) return p.has_value() == q.has_value();
    return p->column == q->column && p->threshold == q->threshold &&
           p->missing_left == q->missing_left && p->left == q->left;
  };
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [&](const HardTree& s, const HardTree& t) {
        return s.leaves == t.leaves && std::equal(s.splits.begin(), s.splits.end(),
                                                  t.splits.begin(), t.splits.end(), same_split);
      });
}

constexpr GreedyOptions kStump = {.num_trees = 1, .depth = 1, .column_share = 1};

/// Curves, levels and missing values that bear on x's function.
inline World mixed_world(std::size_t num_rows, std::vector<double>& signal) {
  World world;
  std::vector<double> first = uniform_values(num_rows, 11);
  const std::vector<double> second = uniform_values(num_rows, 12);
  const std::vector<double> third = uniform_values(num_rows, 13);
  signal.clear();
  std::vector<float> levels, linear;
  for (std::size_t row = 0; row < num_rows; ++row) {
    levels.push_back(std::floor(static_cast<float>(6 * third[row])));
    linear.push_back(static_cast<float>(second[row]));
    const double step = levels.back() == 1 || levels.back() == 4 ? 1 : -0.5;
    signal.push_back(std::sin(6 * first[row]) + step * second[row]);
    if (row % 9 == 0) first[row] = kMissing;
  }
  world.add_curve(first, 32);
  world.add_levels(4, levels);
  world.add_linear(linear);
  return world;
}

}  // namespace softwood
