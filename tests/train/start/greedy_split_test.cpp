#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "train/start/greedy_start.h"
#include "train/start/greedy_world.h"

namespace softwood {
namespace {

using testing::Each;
using testing::ElementsAre;

TEST(HardSplit, a_steps_threshold_is_found) {
  World world;
  const std::vector<double> x = uniform_values(800, 3);
  world.add_curve(uniform_values(800, 4));
  world.add_curve(x);
  const double edge = world.columns[1].edges[5];
  world.add_task("squared", map_values(x, [&](double value) { return value < edge ? 10 : 20; }));
  const HardTree tree = world.grow(kStump).front();
  ASSERT_TRUE(tree.splits[0]);
  EXPECT_EQ(tree.splits[0]->column, 1u);
  EXPECT_EQ(tree.splits[0]->threshold, 5);
  EXPECT_LT(tree.leaves[0], 0);
  EXPECT_GT(tree.leaves[1], 0);
}

TEST(HardSplit, the_largest_of_few_values_can_be_split_off) {
  World world;
  const std::vector<double> x =
      map_values(uniform_values(200, 3), [](double u) { return u > 0.6; });
  world.add_curve(x);
  ASSERT_EQ(world.columns[0].edges.size(), 2u);
  world.add_task("squared", x);
  const HardTree tree = world.grow(kStump).front();
  ASSERT_TRUE(tree.splits[0]);
  EXPECT_EQ(tree.splits[0]->threshold, 1);
}

TEST(HardSplit, a_threshold_stands_midway_in_a_gap) {
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

TEST(HardSplit, missing_goes_with_the_side_it_resembles) {
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
    const HardSplit split = world.grow(kStump).front().splits[0].value();
    EXPECT_EQ(split.missing_left, like_small);
    EXPECT_NEAR(split.threshold, 8, 1);
  }
}

TEST(HardSplit, missing_that_was_never_seen_goes_with_most_rows) {
  const std::vector<double> x = uniform_values(400, 5);
  for (const std::size_t knot : {4, 12}) {
    World world;
    world.add_curve(x);
    const double edge = world.columns[0].edges[knot];
    world.add_task("squared", map_values(x, [&](double value) { return value < edge; }));
    EXPECT_EQ(world.grow(kStump).front().splits[0].value().missing_left, knot == 12);
  }
}

TEST(HardSplit, missing_alone_can_be_split_off) {
  World world;
  std::vector<double> x = uniform_values(400, 5);
  std::vector<double> y(x.size(), 0.0);
  for (std::size_t row = 0; row < x.size(); row += 4) {
    x[row] = kMissing;
    y[row] = 1;
  }
  world.add_curve(x);
  world.add_task("squared", y);
  const HardTree tree = world.grow(kStump).front();
  EXPECT_FALSE(tree.splits[0].value().missing_left);
  EXPECT_EQ(tree.splits[0]->threshold, static_cast<float>(world.columns[0].edges.size()));
  EXPECT_LT(tree.leaves[0], 0);
  EXPECT_GT(tree.leaves[1], 0);
}

TEST(HardSplit, levels_are_split_by_their_effect) {
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
  const HardTree tree = world.grow(kStump).front();
  std::vector<bool> high = tree.splits[0].value().left;
  if (tree.leaves[0] < 0) high.flip();
  // Four of six rows have high levels, so an unseen level goes there.
  EXPECT_THAT(high, ElementsAre(true, false, true, true, true, false));
}

TEST(HardSplit, a_level_without_rows_in_a_node_goes_with_most_of_its_rows) {
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
    const HardTree tree = world.grow({.num_trees = 1, .depth = 2}).front();
    // The root parts level 2 from 0 and 1; then these are parted, and 2 is not there.
    const std::size_t child = tree.splits[0].value().left[0] ? 1 : 2;
    const std::vector<bool> left = tree.splits[child].value().left;
    EXPECT_NE(left[0], left[1]);
    EXPECT_EQ(left[2], large > 0.5 ? left[0] : left[1]);
  }
}

TEST(HardSplit, a_linear_column_is_split_between_its_values) {
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

TEST(HardSplit, a_linear_column_of_many_values_is_split_near_its_step) {
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

TEST(HardSplit, the_first_split_is_the_best_of_all) {
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
  HardSplit best;
  double best_gain = 0;
  std::vector<bool> best_left;
  for (std::uint32_t column = 0; column < 3; ++column) {
    for (float threshold = 1; threshold <= 21; ++threshold) {
      for (const bool missing_left : {false, true}) {
        const HardSplit split = {column, threshold, missing_left, {}};
        std::vector<bool> left;
        for (const float position : world.examples.positions.row(column)) {
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

  const HardTree tree = world.grow(kStump).front();
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

TEST(HardSplit, leaves_are_newton_steps_in_each_class) {
  const std::size_t num_rows = 900, num_classes = 9;
  World world;
  const std::vector<double> x = uniform_values(num_rows, 14);
  world.add_curve(x);
  world.add_task("softmax", map_values(x, [](double u) { return std::floor(9 * u * u); }),
                 num_classes);
  world.tasks[0].weight = 3;
  const HardTree tree = world.grow(kStump).front();

  const Units& units = world.tasks[0].units;
  double total = 0;
  for (const double offset : units.offset) total += std::exp(offset);
  std::vector<double> gradient(2 * num_classes, 0.0), curvature(2 * num_classes, 0.0);
  for (std::size_t row = 0; row < num_rows; ++row) {
    const std::size_t leaf = leaf_of(tree, world, row, false);
    for (std::size_t output = 0; output < num_classes; ++output) {
      const double share = std::exp(units.offset[output]) / total;
      const bool hit = world.examples.responses[0].y[row] == static_cast<double>(output);
      const double scale = 3 * units.unit[output] / units.loss_scale;
      gradient[leaf * num_classes + output] += scale * (share - hit);
      curvature[leaf * num_classes + output] += scale * units.unit[output] * share * (1 - share);
    }
  }
  for (std::size_t at = 0; at < 2 * num_classes; ++at) {
    EXPECT_NEAR(tree.leaves[at], -0.1 * gradient[at] / (curvature[at] + 1), 1e-4) << at;
  }
}

TEST(HardSplit, without_curvature_leaves_are_mean_gradients) {
  World world;
  const std::vector<double> x = uniform_values(501, 15);
  world.add_curve(x);
  world.add_task("absolute", x);
  world.tasks[0].weight = 0.004;
  const HardTree tree = world.grow(kStump).front();
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

}  // namespace
}  // namespace softwood
