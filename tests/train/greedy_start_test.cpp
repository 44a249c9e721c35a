#include "train/greedy_start.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "data/curve_scale.h"
#include "train/raw_outputs.h"

namespace softwood {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// A table in the making: encoded columns beside the responses they explain.
struct World {
  std::vector<EncodedColumn> columns{};
  Examples examples{};
  std::vector<Task> tasks{};

  std::size_t size() const { return examples.size(); }

  void add_positions(EncodedColumn column, const std::vector<float>& positions) {
    columns.push_back(std::move(column));
    Rows& rows = examples.rows;
    rows.num_rows = positions.size();
    rows.num_columns = columns.size();
    rows.positions.insert(rows.positions.end(), positions.begin(), positions.end());
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
    if (!tasks.empty()) {
      task.first_output = tasks.back().first_output + tasks.back().num_outputs();
    }
    examples.tasks.push_back({.y = std::move(y), .columns = {}});
    task.units = find_units(task.program, examples.tasks.back().view(), examples.weights);
    tasks.push_back(std::move(task));
  }
  std::size_t num_outputs() const { return tasks.back().first_output + tasks.back().num_outputs(); }

  std::vector<GreedyTree> grow(const GreedyOptions& options, std::uint64_t seed = 1,
                               std::uint64_t stream = 0) const {
    return grow_greedy_trees(tasks, columns, examples, options, seed, stream);
  }
};

std::vector<double> uniform_values(std::size_t count, std::uint64_t seed) {
  const RandomStream random(seed, "test values");
  std::vector<double> values;
  for (std::size_t row = 0; row < count; ++row) values.push_back(random.uniform(row));
  return values;
}

std::vector<double> map_values(const std::vector<double>& x,
                               const std::function<double(double)>& function) {
  std::vector<double> y;
  for (const double value : x) y.push_back(function(value));
  return y;
}

/// As the header says, without looking at how trees are grown.
bool goes_left(const GreedySplit& split, const EncodedColumn& column, float position) {
  if (column.kind == EncodedColumn::Kind::levels) {
    return split.left.at(static_cast<std::size_t>(position));
  }
  const bool is_curve = column.kind == EncodedColumn::Kind::curve;
  if (is_curve && position == static_cast<float>(column.edges.size())) return split.missing_left;
  return position < split.threshold;
}

/// Where splits are none, left or right must not matter: `detour` goes right.
std::size_t leaf_of(const GreedyTree& tree, const World& world, std::size_t row, bool detour) {
  std::size_t node = 0;
  while (node < tree.splits.size()) {
    const std::optional<GreedySplit>& split = tree.splits[node];
    const bool left = split ? goes_left(*split, world.columns[split->column],
                                        world.examples.rows.view()(split->column, row))
                            : !detour;
    node = 2 * node + (left ? 1 : 2);
  }
  return node - tree.splits.size();
}

void add_tree(const GreedyTree& tree, const World& world, std::vector<double>& g) {
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
double total_loss(const World& world, std::vector<double> g) {
  for (const Task& task : world.tasks) {
    for (std::size_t output = 0; output < task.num_outputs(); ++output) {
      double* values = g.data() + (task.first_output + output) * world.size();
      for (std::size_t row = 0; row < world.size(); ++row) {
        values[row] = task.units.offset[output] + task.units.unit[output] * values[row];
      }
    }
  }
  const std::vector<double> means = mean_losses(world.tasks, world.examples, g);
  double total = 0;
  for (std::size_t task = 0; task < means.size(); ++task) {
    total += means[task] / world.tasks[task].units.loss_scale;
  }
  return total;
}

std::vector<double> losses_by_round(const World& world, const std::vector<GreedyTree>& trees) {
  std::vector<double> g(world.num_outputs() * world.size(), 0.0);
  std::vector<double> losses = {total_loss(world, g)};
  for (const GreedyTree& tree : trees) {
    add_tree(tree, world, g);
    losses.push_back(total_loss(world, g));
  }
  return losses;
}

void expect_loss_falls(const World& world, double at_least, std::size_t num_rounds = 30) {
  const std::vector<double> losses =
      losses_by_round(world, world.grow({.num_trees = num_rounds, .column_share = 1}));
  for (std::size_t round = 1; round < losses.size(); ++round) {
    EXPECT_LT(losses[round], losses[round - 1]) << "round " << round;
  }
  EXPECT_LT(losses.back(), losses.front() - at_least);
}

bool same_trees(const std::vector<GreedyTree>& a, const std::vector<GreedyTree>& b) {
  const auto same_split = [](const std::optional<GreedySplit>& p,
                             const std::optional<GreedySplit>& q) {
    if (!p || !q) return p.has_value() == q.has_value();
    return p->column == q->column && p->threshold == q->threshold &&
           p->missing_left == q->missing_left && p->left == q->left;
  };
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [&](const GreedyTree& s, const GreedyTree& t) {
        return s.leaves == t.leaves && std::equal(s.splits.begin(), s.splits.end(),
                                                  t.splits.begin(), t.splits.end(), same_split);
      });
}

constexpr GreedyOptions kStump = {.num_trees = 1, .depth = 1, .column_share = 1};

/// Curves, levels and missing values that bear on x's function.
World mixed_world(std::size_t num_rows, std::vector<double>& signal) {
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

TEST(GreedyStart, a_steps_threshold_is_found) {
  World world;
  const std::vector<double> x = uniform_values(800, 3);
  world.add_curve(uniform_values(800, 4));
  world.add_curve(x);
  const double edge = world.columns[1].edges[5];
  world.add_task("squared", map_values(x, [&](double value) { return value < edge ? 10 : 20; }));
  const GreedyTree tree = world.grow(kStump).front();
  ASSERT_TRUE(tree.splits[0]);
  EXPECT_EQ(tree.splits[0]->column, 1u);
  EXPECT_EQ(tree.splits[0]->threshold, 5);
  EXPECT_LT(tree.leaves[0], 0);
  EXPECT_GT(tree.leaves[1], 0);
}

TEST(GreedyStart, the_largest_of_few_values_can_be_split_off) {
  World world;
  const std::vector<double> x =
      map_values(uniform_values(200, 3), [](double u) { return u > 0.6; });
  world.add_curve(x);
  ASSERT_EQ(world.columns[0].edges.size(), 2u);
  world.add_task("squared", x);
  const GreedyTree tree = world.grow(kStump).front();
  ASSERT_TRUE(tree.splits[0]);
  EXPECT_EQ(tree.splits[0]->threshold, 1);
}

TEST(GreedyStart, a_threshold_stands_midway_in_a_gap) {
  World world;
  std::vector<float> positions;
  std::vector<double> y;
  for (int row = 0; row < 100; ++row) {
    positions.push_back(row < 50 ? 2.5F : 9.5F);
    y.push_back(row < 50 ? 0 : 1);
  }
  EncodedColumn column;
  column.edges = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  world.add_positions(column, positions);
  world.add_task("squared", y);
  EXPECT_EQ(world.grow(kStump).front().splits[0].value().threshold, 6);
}

TEST(GreedyStart, missing_goes_with_the_side_it_resembles) {
  for (const bool like_small : {true, false}) {
    World world;
    std::vector<double> x = uniform_values(400, 5);
    std::vector<double> y = map_values(x, [](double value) { return value < 0.5 ? -1 : 1; });
    for (std::size_t row = 0; row < x.size(); row += 4) {
      x[row] = kMissing;
      y[row] = like_small ? -1 : 1;
    }
    world.add_curve(x);
    world.add_task("squared", y);
    const GreedySplit split = world.grow(kStump).front().splits[0].value();
    EXPECT_EQ(split.missing_left, like_small);
    EXPECT_NEAR(split.threshold, 8, 1);
  }
}

TEST(GreedyStart, missing_that_was_never_seen_goes_with_most_rows) {
  const std::vector<double> x = uniform_values(400, 5);
  for (const std::size_t knot : {4, 12}) {
    World world;
    world.add_curve(x);
    const double edge = world.columns[0].edges[knot];
    world.add_task("squared", map_values(x, [&](double value) { return value < edge; }));
    EXPECT_EQ(world.grow(kStump).front().splits[0].value().missing_left, knot == 12);
  }
}

TEST(GreedyStart, missing_alone_can_be_split_off) {
  World world;
  std::vector<double> x = uniform_values(400, 5);
  std::vector<double> y(x.size(), 0.0);
  for (std::size_t row = 0; row < x.size(); row += 4) {
    x[row] = kMissing;
    y[row] = 1;
  }
  world.add_curve(x);
  world.add_task("squared", y);
  const GreedyTree tree = world.grow(kStump).front();
  EXPECT_FALSE(tree.splits[0].value().missing_left);
  EXPECT_EQ(tree.splits[0]->threshold, static_cast<float>(world.columns[0].edges.size()));
  EXPECT_LT(tree.leaves[0], 0);
  EXPECT_GT(tree.leaves[1], 0);
}

TEST(GreedyStart, levels_are_split_by_their_effect) {
  World world;
  // Levels a, b, c, d, then other (4) and missing (5); d never occurs.
  const std::vector<double> effects = {2, -1, 2.5, 0, 2, -1};
  std::vector<float> levels;
  std::vector<double> y;
  for (int row = 0; row < 300; ++row) {
    const int level = row % 6 == 3 ? 0 : row % 6;
    levels.push_back(static_cast<float>(level));
    y.push_back(effects[static_cast<std::size_t>(level)]);
  }
  world.add_levels(4, levels);
  world.add_task("squared", y);
  const GreedyTree tree = world.grow(kStump).front();
  std::vector<bool> high = tree.splits[0].value().left;
  if (tree.leaves[0] < 0) high.flip();
  // Four of six rows have high levels, so an unseen level goes there.
  EXPECT_THAT(high, ElementsAre(true, false, true, true, true, false));
}

TEST(GreedyStart, a_level_without_rows_in_a_node_goes_with_most_of_its_rows) {
  for (const double large : {0.3, 0.7}) {
    World world;
    std::vector<float> levels;
    std::vector<double> y;
    for (const double u : uniform_values(400, 7)) {
      levels.push_back(levels.size() % 2 == 0 ? 2.0F : u < large ? 0.0F : 1.0F);
      y.push_back(levels.back() == 2 ? 30 : levels.back() == 1 ? 8 : 0);
    }
    world.add_levels(3, levels);
    world.add_task("squared", y);
    const GreedyTree tree = world.grow({.num_trees = 1, .depth = 2}).front();
    // The root parts level 2 from 0 and 1; then these are parted, and 2 is not there.
    const std::size_t child = tree.splits[0].value().left[0] ? 1 : 2;
    const std::vector<bool> left = tree.splits[child].value().left;
    EXPECT_NE(left[0], left[1]);
    EXPECT_EQ(left[2], large > 0.5 ? left[0] : left[1]);
  }
}

TEST(GreedyStart, a_linear_column_is_split_between_its_values) {
  World world;
  std::vector<float> values;
  std::vector<double> y;
  for (int row = 0; row < 120; ++row) {
    values.push_back(static_cast<float>(row % 4));
    y.push_back(row % 4 < 3 ? 0 : 1);
  }
  world.add_linear(values);
  world.add_task("squared", y);
  EXPECT_EQ(world.grow(kStump).front().splits[0].value().threshold, 2.5F);
}

TEST(GreedyStart, a_linear_column_of_many_values_is_split_near_its_step) {
  World world;
  const std::vector<double> x = uniform_values(1000, 8);
  world.add_linear({x.begin(), x.end()});
  world.add_task("squared", map_values(x, [](double value) { return value < 0.3; }));
  EXPECT_NEAR(world.grow(kStump).front().splits[0].value().threshold, 0.3, 0.03);
}

/// Gain of sending `left` rows left, for squared error in units: h = 2·unit²/scale.
double gain_of(const std::vector<double>& gradients, double curvature,
               const std::vector<bool>& left) {
  double left_sum = 0, right_sum = 0, left_rows = 0, right_rows = 0;
  for (std::size_t row = 0; row < gradients.size(); ++row) {
    (left[row] ? left_sum : right_sum) += gradients[row];
    (left[row] ? left_rows : right_rows) += 1;
  }
  if (left_rows < 5 || right_rows < 5) return 0;
  const double both = left_sum + right_sum;
  return left_sum * left_sum / (left_rows * curvature + 1) +
         right_sum * right_sum / (right_rows * curvature + 1) -
         both * both / ((left_rows + right_rows) * curvature + 1);
}

TEST(GreedyStart, the_first_split_is_the_best_of_all) {
  const std::size_t num_rows = 600;
  World world;
  const std::vector<double> noise = uniform_values(num_rows, 30);
  std::vector<double> y;
  for (std::uint64_t column = 0; column < 3; ++column) {
    std::vector<double> x = uniform_values(num_rows, 20 + column);
    if (column == 1) {
      for (std::size_t row = 0; row < num_rows; ++row) y.push_back(x[row] * x[row] + noise[row]);
    }
    for (std::size_t row = column; row < num_rows; row += 7) x[row] = kMissing;
    world.add_curve(x, 20);
  }
  world.add_task("squared", y);

  const Units& units = world.tasks[0].units;
  const double unit = units.unit[0];
  const std::vector<double> gradients = map_values(
      y, [&](double value) { return -2 * (value - units.offset[0]) * unit / units.loss_scale; });
  const double curvature = 2 * unit * unit / units.loss_scale;
  GreedySplit best;
  double best_gain = 0;
  std::vector<bool> best_left;
  for (std::uint32_t column = 0; column < 3; ++column) {
    for (float threshold = 1; threshold <= 21; ++threshold) {
      for (const bool missing_left : {false, true}) {
        const GreedySplit split = {column, threshold, missing_left, {}};
        std::vector<bool> left;
        for (const float position : world.examples.rows.view().row(column)) {
          left.push_back(goes_left(split, world.columns[column], position));
        }
        const double gain = gain_of(gradients, curvature, left);
        if (gain <= best_gain) continue;
        best_gain = gain;
        best = split;
        best_left = left;
      }
    }
  }

  const GreedyTree tree = world.grow(kStump).front();
  EXPECT_EQ(tree.splits[0].value().column, best.column);
  EXPECT_EQ(tree.splits[0]->threshold, best.threshold);
  EXPECT_EQ(tree.splits[0]->missing_left, best.missing_left);
  double sum = 0, rows = 0;
  for (std::size_t row = 0; row < num_rows; ++row) {
    if (!best_left[row]) continue;
    sum += gradients[row];
    rows += 1;
  }
  EXPECT_NEAR(tree.leaves[0], -0.1 * sum / (rows * curvature + 1), 1e-4);
}

TEST(GreedyStart, leaves_are_newton_steps_in_each_class) {
  const std::size_t num_rows = 900, num_classes = 9;
  World world;
  const std::vector<double> x = uniform_values(num_rows, 14);
  world.add_curve(x);
  world.add_task("softmax", map_values(x, [](double u) { return std::floor(9 * u * u); }),
                 num_classes);
  world.tasks[0].weight = 3;
  const GreedyTree tree = world.grow(kStump).front();

  const Units& units = world.tasks[0].units;
  double total = 0;
  for (const double offset : units.offset) total += std::exp(offset);
  std::vector<double> gradient(2 * num_classes, 0.0), curvature(2 * num_classes, 0.0);
  for (std::size_t row = 0; row < num_rows; ++row) {
    const std::size_t leaf = leaf_of(tree, world, row, false);
    for (std::size_t output = 0; output < num_classes; ++output) {
      const double share = std::exp(units.offset[output]) / total;
      const bool hit = world.examples.tasks[0].y[row] == static_cast<double>(output);
      const double scale = 3 * units.unit[output] / units.loss_scale;
      gradient[leaf * num_classes + output] += scale * (share - hit);
      curvature[leaf * num_classes + output] += scale * units.unit[output] * share * (1 - share);
    }
  }
  for (std::size_t at = 0; at < 2 * num_classes; ++at) {
    EXPECT_NEAR(tree.leaves[at], -0.1 * gradient[at] / (curvature[at] + 1), 1e-4) << at;
  }
}

TEST(GreedyStart, without_curvature_leaves_are_mean_gradients) {
  World world;
  const std::vector<double> x = uniform_values(501, 15);
  world.add_curve(x);
  world.add_task("absolute", x);
  world.tasks[0].weight = 0.004;
  const GreedyTree tree = world.grow(kStump).front();
  const Units& units = world.tasks[0].units;
  double gradient = 0, rows = 0;
  for (std::size_t row = 0; row < x.size(); ++row) {
    if (leaf_of(tree, world, row, false) != 1) continue;
    // On the median itself, the kink, the gradient is 0.
    const double below = x[row] > units.offset[0], above = x[row] < units.offset[0];
    gradient += (above - below) * units.unit[0] / units.loss_scale;
    rows += 1;
  }
  EXPECT_NEAR(tree.leaves[1], -0.1 * 0.004 * gradient / (0.004 * rows + 1), 1e-4);
}

TEST(GreedyStart, boosting_lowers_the_loss_round_by_round) {
  for (const char* loss : {"squared", "huber", "normal"}) {
    SCOPED_TRACE(loss);
    std::vector<double> signal;
    World world = mixed_world(700, signal);
    world.add_task(loss, map_values(signal, [](double value) { return 40 + 7 * value; }));
    expect_loss_falls(world, 0.1);
  }
}

TEST(GreedyStart, boosting_lowers_a_loss_without_curvature_until_it_is_small) {
  for (const char* loss : {"absolute", "quantile(tau=0.8)"}) {
    SCOPED_TRACE(loss);
    std::vector<double> signal;
    World world = mixed_world(700, signal);
    world.add_task(loss, map_values(signal, [](double value) { return 40 + 7 * value; }));
    expect_loss_falls(world, 0.3, 15);
  }
}

TEST(GreedyStart, boosting_lowers_the_loss_of_counts) {
  for (const char* loss : {"poisson", "negative_binomial", "zip"}) {
    SCOPED_TRACE(loss);
    std::vector<double> signal;
    World world = mixed_world(700, signal);
    const std::vector<double> noise = uniform_values(700, 40);
    std::vector<double> counts;
    for (std::size_t row = 0; row < signal.size(); ++row) {
      counts.push_back(std::floor(std::exp(signal[row]) * 4 * noise[row] * noise[row]));
    }
    world.add_task(loss, counts);
    expect_loss_falls(world, 0.1);
  }
}

TEST(GreedyStart, boosting_lowers_the_loss_of_classes) {
  std::vector<double> signal;
  World two = mixed_world(700, signal);
  two.add_task("logistic", map_values(signal, [](double value) { return value > 0.2; }));
  expect_loss_falls(two, 0.1);
  for (const double num_classes : {3.0, 9.0}) {
    World many = mixed_world(700, signal);
    const auto class_of = [&](double value) {
      return std::clamp(std::floor((value + 1.5) * num_classes / 3), 0.0, num_classes - 1);
    };
    many.add_task("softmax", map_values(signal, class_of), static_cast<std::size_t>(num_classes));
    expect_loss_falls(many, 0.1);
  }
}

TEST(GreedyStart, boosting_lowers_the_loss_of_two_tasks_with_missing_responses) {
  std::vector<double> signal;
  World world = mixed_world(700, signal);
  std::vector<double> amounts = map_values(signal, [](double value) { return 1000 * value; });
  std::vector<double> flags = map_values(signal, [](double value) { return value * value > 0.4; });
  for (std::size_t row = 0; row < 700; ++row) {
    if (row % 3 == 0) amounts[row] = kMissing;
    if (row % 3 == 1) flags[row] = kMissing;
  }
  world.add_task("squared", amounts);
  world.add_task("logistic", flags);
  expect_loss_falls(world, 0.2);
}

TEST(GreedyStart, tied_responses_do_not_hold_up_an_absolute_loss) {
  // Four in ten rows lie exactly on the median, where the loss has its kink.
  World world;
  const std::vector<double> x = uniform_values(1000, 9);
  world.add_curve(x);
  world.add_task("absolute", map_values(x, [](double u) {
                   return u < 0.3 ? 1.0 : u < 0.7 ? 2.0 : 3.0;
                 }));
  const std::vector<double> losses = losses_by_round(world, world.grow({.num_trees = 40}));
  EXPECT_LT(losses.back(), 0.5 * losses.front());
}

TEST(GreedyStart, a_masked_response_changes_nothing) {
  const std::size_t num_rows = 500;
  std::vector<double> signal;
  World all = mixed_world(num_rows, signal);
  World kept = mixed_world(num_rows, signal);
  std::vector<double> masked = signal;
  std::vector<std::uint32_t> rest;
  for (std::uint32_t row = 0; row < num_rows; ++row) {
    if (row % 4 == 1) {
      masked[row] = kMissing;
    } else {
      rest.push_back(row);
    }
  }
  all.add_task("normal", masked);
  kept.add_task("normal", masked);
  kept.examples = select_examples(kept.examples.rows, kept.examples.tasks, {}, rest);
  EXPECT_TRUE(same_trees(all.grow({.num_trees = 10}), kept.grow({.num_trees = 10})));
}

TEST(GreedyStart, a_task_that_a_row_misses_does_not_learn_from_it) {
  World world;
  const std::vector<double> x = uniform_values(600, 2);
  world.add_curve(x);
  const double edge = world.columns[0].edges[8];
  std::vector<double> first, second;
  for (std::size_t row = 0; row < x.size(); ++row) {
    first.push_back(x[row] < edge ? -1 : 1);
    second.push_back(x[row] < edge || row % 3 == 0 ? kMissing : 5);
  }
  // An offset below the mean, for something to learn.
  world.add_task("squared", first);
  world.add_task("squared", second);
  world.tasks[1].units = {{4}, {1}, 2};
  const GreedyTree tree = world.grow(kStump).front();
  EXPECT_LT(tree.leaves[0], -0.05);
  EXPECT_EQ(tree.leaves[1], 0);
  // Gradient −1 and curvature 1 in each row that has the response.
  const auto known = static_cast<double>(
      std::count_if(second.begin(), second.end(), [](double y) { return !std::isnan(y); }));
  EXPECT_NEAR(tree.leaves[3], 0.1 * known / (known + 1), 1e-5);
}

TEST(GreedyStart, weight_two_equals_the_row_twice) {
  std::vector<double> signal;
  World weighted = mixed_world(300, signal);
  weighted.add_task("squared", signal);
  World twice = weighted;
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < 300; ++row) {
    weighted.examples.weights.push_back(row % 2 == 0 ? 2 : 1);
    rows.insert(rows.end(), row % 2 == 0 ? 2 : 1, row);
  }
  twice.examples = select_examples(twice.examples.rows, twice.examples.tasks, {}, rows);
  const GreedyTree a = weighted.grow(kStump).front();
  const GreedyTree b = twice.grow(kStump).front();
  EXPECT_EQ(a.splits[0].value().column, b.splits[0].value().column);
  EXPECT_NEAR(a.leaves[0], b.leaves[0], 1e-4);
  EXPECT_NEAR(a.leaves[1], b.leaves[1], 1e-4);
}

TEST(GreedyStart, columns_are_those_of_the_splits_each_once) {
  GreedyTree tree;
  tree.splits.resize(7);
  EXPECT_THAT(tree.columns(), ElementsAre());
  tree.splits[0] = GreedySplit{.column = 5};
  tree.splits[1] = GreedySplit{.column = 2};
  tree.splits[2] = GreedySplit{.column = 5};
  tree.splits[6] = GreedySplit{.column = 0};
  EXPECT_THAT(tree.columns(), ElementsAre(0, 2, 5));
}

TEST(GreedyStart, same_seed_same_trees_another_stream_others) {
  std::vector<double> signal;
  World world = mixed_world(900, signal);
  world.add_task("squared", signal);
  const GreedyOptions options = {.num_trees = 5, .num_rows = 500};
  EXPECT_TRUE(same_trees(world.grow(options, 4, 1), world.grow(options, 4, 1)));
  EXPECT_FALSE(same_trees(world.grow(options, 4, 1), world.grow(options, 4, 2)));
  EXPECT_FALSE(same_trees(world.grow(options, 4, 1), world.grow(options, 5, 1)));
}

TEST(GreedyStart, every_node_draws_its_own_columns) {
  World world;
  const std::vector<double> x = uniform_values(500, 6);
  for (int column = 0; column < 10; ++column) world.add_curve(x);
  world.add_task("squared", x);
  std::vector<std::uint32_t> used;
  for (const GreedyTree& tree : world.grow({.num_trees = 20, .column_share = 0.1})) {
    for (const auto& split : tree.splits) used.push_back(split.value().column);
  }
  for (std::uint32_t column = 0; column < 10; ++column) {
    const auto count = std::count(used.begin(), used.end(), column);
    EXPECT_GT(count, 2) << column;
    EXPECT_LT(count, 40) << column;
  }
}

void expect_full_and_finite(const std::vector<GreedyTree>& trees, std::size_t num_trees, int depth,
                            std::size_t num_outputs) {
  EXPECT_EQ(trees.size(), num_trees);
  const std::size_t num_leaves = std::size_t{1} << depth;
  for (const GreedyTree& tree : trees) {
    EXPECT_EQ(tree.splits.size(), num_leaves - 1);
    EXPECT_EQ(tree.leaves.size(), num_leaves * num_outputs);
    for (const double leaf : tree.leaves) {
      EXPECT_TRUE(std::isfinite(leaf));
      EXPECT_LE(std::abs(leaf), 1);
    }
  }
}

TEST(GreedyStart, a_constant_response_gives_empty_trees) {
  World world;
  world.add_curve(uniform_values(100, 1));
  world.add_task("squared", std::vector<double>(100, 3.5));
  const std::vector<GreedyTree> trees = world.grow({.num_trees = 3});
  expect_full_and_finite(trees, 3, 3, 1);
  EXPECT_TRUE(trees[0].columns().empty());
  EXPECT_THAT(trees[2].leaves, Each(0.0));
}

TEST(GreedyStart, one_useful_row_is_too_few_to_split) {
  World world;
  world.add_curve(uniform_values(100, 1));
  std::vector<double> y(100, kMissing);
  y[17] = 4;
  world.add_task("poisson", y);
  const std::vector<GreedyTree> trees = world.grow({.num_trees = 3, .depth = 2});
  expect_full_and_finite(trees, 3, 2, 1);
  EXPECT_TRUE(trees[0].columns().empty());
}

TEST(GreedyStart, rows_without_any_weight_teach_nothing) {
  World world;
  const std::vector<double> x = uniform_values(50, 1);
  world.add_curve(x);
  world.add_task("squared", x);
  world.examples.weights.assign(50, 0.0);
  const std::vector<GreedyTree> trees = world.grow({.num_trees = 2});
  expect_full_and_finite(trees, 2, 3, 1);
  EXPECT_THAT(trees[1].leaves, Each(0.0));
}

TEST(GreedyStart, a_loss_that_is_not_finite_everywhere_leaves_finite_trees) {
  World world;
  const std::vector<double> x = uniform_values(200, 1);
  world.add_curve(x);
  world.add_task("squared", x);
  world.tasks[0].program = LossProgram::compile(find_loss("sqrt(f - 0.4) * (y - f)"));
  expect_full_and_finite(world.grow({.num_trees = 8}), 8, 3, 1);
}

TEST(GreedyStart, below_a_node_without_a_split_there_is_none) {
  World world;
  const std::vector<double> x = uniform_values(300, 6);
  world.add_curve(x);
  for (int column = 0; column < 3; ++column) world.add_linear(std::vector<float>(300, 1.0F));
  world.add_task("squared", x);
  // Three nodes of four draw a constant column.
  const std::vector<GreedyTree> trees = world.grow({.num_trees = 20, .column_share = 0.25});
  std::size_t num_none = 0;
  for (const GreedyTree& tree : trees) {
    for (std::size_t node = 1; node < tree.splits.size(); ++node) {
      if (tree.splits[(node - 1) / 2]) continue;
      EXPECT_FALSE(tree.splits[node]);
      ++num_none;
    }
  }
  EXPECT_GT(num_none, 20u);
  const std::vector<double> losses = losses_by_round(world, trees);
  EXPECT_LT(losses.back(), losses.front());
}

TEST(GreedyStart, no_leaf_throws_rows_far_off) {
  World world;
  const std::vector<double> x = uniform_values(300, 6);
  world.add_curve(x);
  world.add_task("squared", x);
  expect_full_and_finite(world.grow({.num_trees = 3, .learning_rate = 50}), 3, 3, 1);
}

TEST(GreedyStart, drawn_rows_speak_for_the_rest) {
  World world;
  const std::vector<double> x = uniform_values(6000, 3);
  world.add_curve(x, 64);
  world.add_task("squared", map_values(x, [](double value) { return value < 0.25 ? 3 : 1; }));
  GreedyOptions options = kStump;
  options.num_rows = 300;
  EXPECT_NEAR(world.grow(options).front().splits[0].value().threshold, 16, 1);
}

}  // namespace
}  // namespace softwood
