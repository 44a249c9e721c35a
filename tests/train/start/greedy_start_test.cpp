#include "train/start/greedy_start.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "train/start/greedy_world.h"

namespace softwood {
namespace {

using testing::Each;
using testing::ElementsAre;

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

TEST(GreedyStart, boosting_lowers_the_loss_of_very_many_classes) {
  World world;
  const std::vector<double> x = uniform_values(700, 4);
  world.add_curve(x);
  world.add_task("softmax", map_values(x, [](double v) { return std::floor(300 * v); }), 300);
  std::vector<double> g(world.num_outputs() * world.size(), 0.0);
  const double before = total_loss(world, g);
  for (const HardTree& tree : world.grow({.num_trees = 20})) add_tree(tree, world, g);
  EXPECT_LT(total_loss(world, g), 0.95 * before);
}

TEST(GreedyStart, ends_when_it_is_told_to) {
  World world;
  const std::vector<double> x = uniform_values(50, 4);
  world.add_curve(x);
  world.add_task("squared", x);
  struct Enough {};
  int calls = 0;
  const auto check = [&] {
    if (++calls == 20) throw Enough();
  };
  EXPECT_THROW(grow_greedy_trees(world.tasks, world.columns, world.examples, {.num_trees = 1000}, 1,
                                 0, check),
               Enough);
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
  kept.examples = select_examples(kept.examples.positions, kept.examples.responses, {}, rest);
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
  const HardTree tree = world.grow(kStump).front();
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
  twice.examples = select_examples(twice.examples.positions, twice.examples.responses, {}, rows);
  const HardTree a = weighted.grow(kStump).front();
  const HardTree b = twice.grow(kStump).front();
  EXPECT_EQ(a.splits[0].value().column, b.splits[0].value().column);
  EXPECT_NEAR(a.leaves[0], b.leaves[0], 1e-4);
  EXPECT_NEAR(a.leaves[1], b.leaves[1], 1e-4);
}

TEST(GreedyStart, columns_are_those_of_the_splits_each_once) {
  HardTree tree;
  tree.splits.resize(7);
  EXPECT_THAT(tree.columns(), ElementsAre());
  tree.splits[0] = HardSplit{.column = 5};
  tree.splits[1] = HardSplit{.column = 2};
  tree.splits[2] = HardSplit{.column = 5};
  tree.splits[6] = HardSplit{.column = 0};
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
  for (const HardTree& tree : world.grow({.num_trees = 20, .column_share = 0.1})) {
    for (const auto& split : tree.splits) used.push_back(split.value().column);
  }
  for (std::uint32_t column = 0; column < 10; ++column) {
    const auto count = std::count(used.begin(), used.end(), column);
    EXPECT_GT(count, 2) << column;
    EXPECT_LT(count, 40) << column;
  }
}

void expect_full_and_finite(const std::vector<HardTree>& trees, std::size_t num_trees, int depth,
                            std::size_t num_outputs) {
  EXPECT_EQ(trees.size(), num_trees);
  const std::size_t num_leaves = std::size_t{1} << depth;
  for (const HardTree& tree : trees) {
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
  const std::vector<HardTree> trees = world.grow({.num_trees = 3});
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
  const std::vector<HardTree> trees = world.grow({.num_trees = 3, .depth = 2});
  expect_full_and_finite(trees, 3, 2, 1);
  EXPECT_TRUE(trees[0].columns().empty());
}

TEST(GreedyStart, rows_without_any_weight_teach_nothing) {
  World world;
  const std::vector<double> x = uniform_values(50, 1);
  world.add_curve(x);
  world.add_task("squared", x);
  world.examples.weights.assign(50, 0.0);
  const std::vector<HardTree> trees = world.grow({.num_trees = 2});
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
  const std::vector<HardTree> trees = world.grow({.num_trees = 20, .column_share = 0.25});
  std::size_t num_none = 0;
  for (const HardTree& tree : trees) {
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
