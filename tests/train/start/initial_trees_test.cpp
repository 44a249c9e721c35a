#include "train/start/initial_trees.h"

#include <cmath>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "train/start/column_bases.h"
#include "tree/reference.h"

namespace softwood {
namespace {

using testing::ElementsAre;

Settings settings_of_depth(int depth) {
  Settings settings;
  settings.depth = depth;
  settings.seed = 3;
  return settings;
}

ColumnBasis basis_of(ColumnBasis::Kind kind, std::size_t num_knots, std::uint32_t source) {
  ColumnBasis basis{.kind = kind, .source = source, .num_knots = num_knots};
  if (kind == ColumnBasis::Kind::curve) basis.slope.assign(num_knots - 1, 0.0F);
  basis.mean.assign(basis.num_parameters(), 0.1F);
  return basis;
}

/// Three columns: a curve on two scales, levels, a curve on one scale.
FeatureSpace some_ground() {
  using Kind = ColumnBasis::Kind;
  FeatureSpace space{.columns = {basis_of(Kind::curve, 4, 0), basis_of(Kind::levels, 3, 1),
                                 basis_of(Kind::curve, 5, 2), basis_of(Kind::curve, 10, 0)},
                     .num_sources = 3,
                     .num_outputs = 2};
  space.columns[0].scale = {0, 0.5F, 1, 1.5F, 2, 2, 2, 2, 2, 3};
  return space;
}

TEST(Planting, splits_of_wide_trees_score_zero_on_average_over_the_training_rows) {
  const std::vector<float> positions = {0.5F, 1.25F, 2.0F, 3.0F, 0.0F, 1.75F};
  EncodedColumn column;
  column.edges = {0, 1, 2};
  column.mean = (0.5 + 1.25 + 2 + 0 + 1.75) / 5;
  const FeatureSpace space = {
      .columns = {column_basis(column, false, positions)}, .num_sources = 1, .num_outputs = 1};
  InitialTrees initial = initial_wide_trees(settings_of_depth(1), {.num_trees = 1}, space, 0);
  // Leaves ±c make the output odd in z; with tiny weights it is linear in z, so its mean is z's
  // mean.
  const BundleLayout& layout = initial.ensemble.layout(0);
  for (std::size_t at = 0; at < layout.weights_size; ++at) {
    initial.parameters[layout.weights + at] *= 1e-3F;
  }
  initial.parameters[layout.leaves] = 1;
  initial.parameters[layout.leaves + 1] = -1;
  const std::vector<double> exact(initial.parameters.begin(), initial.parameters.end());
  std::vector<double> out(positions.size());
  reference_forward(initial.ensemble, exact, {positions.data(), 1, positions.size()},
                    {out.data(), 1, out.size()});
  double mean = 0;
  double size = 0;
  for (const double value : out) {
    mean += value / static_cast<double>(out.size());
    size += std::abs(value) / static_cast<double>(out.size());
  }
  EXPECT_GT(size, 1e-5);
  EXPECT_LT(std::abs(mean), 1e-4 * size + 1e-9);
}

TEST(Planting, wide_trees_see_every_column_on_its_coarse_scale) {
  const InitialTrees initial =
      initial_wide_trees(settings_of_depth(3), {.num_trees = 21}, some_ground(), 0);
  EXPECT_EQ(initial.ensemble.shape().num_trees(), 21u);
  EXPECT_EQ(initial.ensemble.shape().num_outputs, 2u);
  EXPECT_EQ(initial.parameters.size(), initial.ensemble.buffer_size());
  for (const Bundle& bundle : initial.ensemble.shape().bundles) {
    EXPECT_THAT(bundle.columns, ElementsAre(0, 1, 2));
  }
}

/// A tree of depth 3 that splits these columns, and nothing else.
HardTree tree_on(const std::vector<std::uint32_t>& columns) {
  HardTree tree;
  tree.splits.resize(7);
  tree.leaves.assign(16, 0.5);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    tree.splits[i] = HardSplit{.column = columns[i], .threshold = 1};
    if (columns[i] == 1) tree.splits[i]->left = {true, false, true};
  }
  return tree;
}

TEST(Planting, narrow_trees_see_the_columns_of_their_splits_on_the_finest_scale) {
  const std::vector<HardTree> trees = {tree_on({0}), tree_on({2, 0}), tree_on({1, 1})};
  const InitialTrees initial = initial_narrow_trees(settings_of_depth(3), some_ground(), trees);
  // Two trees of depth 3 share a list.
  ASSERT_EQ(initial.ensemble.shape().bundles.size(), 2u);
  EXPECT_EQ(initial.ensemble.shape().num_trees(), 3u);
  EXPECT_THAT(initial.ensemble.shape().bundles[0].columns, ElementsAre(2, 3));
  EXPECT_THAT(initial.ensemble.shape().bundles[1].columns, ElementsAre(1));
}

TEST(Planting, a_tree_without_splits_still_has_a_column_and_its_value) {
  HardTree tree = tree_on({});
  const InitialTrees initial =
      initial_narrow_trees(settings_of_depth(3), some_ground(), {&tree, 1});
  EXPECT_EQ(initial.ensemble.shape().bundles[0].columns.size(), 1u);
  const std::vector<float> positions = {1, 1, 1};
  const std::vector<double> exact(initial.parameters.begin(), initial.parameters.end());
  std::vector<double> out(2);
  reference_forward(initial.ensemble, exact, {positions.data(), 3, 1}, {out.data(), 2, 1});
  EXPECT_THAT(out, ElementsAre(testing::DoubleEq(0.5), testing::DoubleEq(0.5)));
}

std::vector<HardTree> draw_trees(std::uint64_t stream, std::size_t columns_per_tree = 2) {
  Settings settings = settings_of_depth(3);
  settings.columns_per_tree = columns_per_tree;
  return random_trees(settings, {.is_narrow = true, .num_trees = 40}, some_ground(), stream);
}

TEST(Planting, random_trees_split_a_few_random_columns) {
  const std::vector<HardTree> trees = draw_trees(0);
  ASSERT_EQ(trees.size(), 40u);
  std::vector<int> used(3, 0);
  for (const HardTree& tree : trees) {
    ASSERT_EQ(tree.splits.size(), 7u);
    EXPECT_EQ(tree.leaves.size(), 8u * 2u);
    EXPECT_LE(tree.columns().size(), 2u);
    for (const std::uint32_t column : tree.columns()) ++used[column];
    for (const auto& split : tree.splits) {
      ASSERT_TRUE(split);
      // Curve 0 is split on its fine scale of eight bins.
      if (split->column == 0) {
        EXPECT_LE(split->threshold, 8);
      }
      EXPECT_EQ(split->left.size(), split->column == 1 ? 3u : 0u);
    }
  }
  for (const int count : used) EXPECT_GT(count, 15);
}

TEST(Planting, no_random_tree_sees_more_columns_than_it_may) {
  const std::vector<HardTree> trees = draw_trees(0);
  const InitialTrees initial = initial_narrow_trees(settings_of_depth(3), some_ground(), trees);
  for (const Bundle& bundle : initial.ensemble.shape().bundles) {
    EXPECT_LE(bundle.columns.size(), 2u);
  }
}

TEST(Planting, random_trees_of_two_streams_differ) {
  const auto thresholds = [](const std::vector<HardTree>& trees) {
    std::vector<float> all;
    for (const HardTree& tree : trees) {
      for (const auto& split : tree.splits) all.push_back(split->threshold);
    }
    return all;
  };
  EXPECT_EQ(thresholds(draw_trees(1)), thresholds(draw_trees(1)));
  EXPECT_NE(thresholds(draw_trees(1)), thresholds(draw_trees(2)));
}

TEST(Planting, more_columns_per_tree_than_there_are_is_all_of_them) {
  std::set<std::uint32_t> columns;
  for (const HardTree& tree : draw_trees(0, 99)) {
    for (const auto& split : tree.splits) columns.insert(split.value().column);
  }
  EXPECT_THAT(columns, testing::ElementsAre(0, 1, 2));
}

TEST(Planting, trees_repeated_for_outputs_start_with_the_same_sums) {
  FeatureSpace space = some_ground();
  space.num_outputs = 5;
  const InitialTrees initial =
      initial_wide_trees(settings_of_depth(2), {.num_trees = 21}, space, 0);
  const std::vector<OutputRange> ranges = {{0, 2}, {2, 1}, {3, 2}};
  const InitialTrees repeated = repeat_for_outputs(initial, ranges);
  EXPECT_EQ(repeated.ensemble.shape().num_trees(), 63u);
  EXPECT_EQ(repeated.parameters.size(), repeated.ensemble.buffer_size());
  const std::vector<float> positions = {0.5F, 3.25F, 1, 2, 0.25F, 2.5F};  // three columns, two rows
  const auto sums = [&](const InitialTrees& which) {
    const std::vector<double> exact(which.parameters.begin(), which.parameters.end());
    std::vector<double> out(10);
    reference_forward(which.ensemble, exact, {positions.data(), 3, 2}, {out.data(), 5, 2});
    return out;
  };
  const std::vector<double> expected = sums(initial), actual = sums(repeated);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-12);
  // A bundle's copies stand together, in the order of the outputs.
  const auto& bundles = repeated.ensemble.shape().bundles;
  for (std::size_t i = 0; i < bundles.size(); ++i) {
    EXPECT_EQ(bundles[i].first_output, ranges[i % 3].first);
    EXPECT_EQ(bundles[i].num_outputs, ranges[i % 3].count);
  }
}

}  // namespace
}  // namespace softwood
