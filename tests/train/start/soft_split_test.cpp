#include "train/start/soft_split.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "train/start/column_bases.h"
#include "tree/reference.h"

namespace softwood {
namespace {

constexpr std::size_t kBins = 64;
constexpr float kMissing = kBins + 1;
constexpr float kFar = 8;  // bins from a threshold

/// A curve of 64 bins over evenly spread rows; one in five misses it, if asked for.
ColumnBasis curve(bool with_missing = true) {
  EncodedColumn column;
  std::vector<float> positions;
  for (std::size_t edge = 0; edge <= kBins; ++edge) {
    column.edges.push_back(static_cast<double>(edge));
    positions.push_back(static_cast<float>(edge));
  }
  if (with_missing) positions.insert(positions.end(), 16, kMissing);
  return column_basis(column, false, positions);
}

ColumnBasis levels(const std::vector<float>& positions) {
  EncodedColumn column;
  column.kind = EncodedColumn::Kind::levels;
  column.levels = {"a", "b", "c"};
  return column_basis(column, false, positions);
}

ColumnBasis linear() {
  EncodedColumn column;
  column.kind = EncodedColumn::Kind::linear;
  return column_basis(column, false, {});
}

/// What a prepared tree gives a row, by the reference.
double prepared(const ColumnBasis& basis, const HardTree& tree, float position, int depth) {
  const Ensemble ensemble({.depth = depth, .columns = {basis}, .bundles = {{{0}, 1, 0, 1}}});
  AlignedVector<float> parameters = ensemble.make_buffer();
  const std::vector<std::uint32_t> finest = {0};
  soften_tree(ensemble, 0, 0, tree, finest, parameters);
  const std::vector<double> exact(parameters.begin(), parameters.end());
  double out = 0;
  reference_forward(ensemble, exact, {&position, 1, 1}, {&out, 1, 1});
  return out;
}

/// Probability that a row at `position` goes left.
double left(const ColumnBasis& basis, const HardSplit& split, float position) {
  return prepared(basis, {.splits = {split}, .leaves = {1, 0}}, position, 1);
}

TEST(SoftSplit, rows_far_from_the_threshold_go_where_the_hard_tree_sends_them) {
  for (const bool with_missing : {true, false}) {
    const ColumnBasis basis = curve(with_missing);
    for (const float threshold : {12.0F, 32.0F, 33.5F, 50.0F}) {
      const HardSplit split{.column = 0, .threshold = threshold};
      for (float position = 0; position <= kBins; position += 0.25F) {
        const double probability = left(basis, split, position);
        if (position <= threshold - kFar) {
          EXPECT_GE(probability, 0.95);
        }
        if (position >= threshold + kFar) {
          EXPECT_LE(probability, 0.05);
        }
      }
    }
  }
}

TEST(SoftSplit, the_way_left_becomes_less_likely_from_bin_to_bin) {
  const ColumnBasis basis = curve();
  const HardSplit split{.column = 0, .threshold = 32};
  double before = 1;
  for (float position = 0; position <= kBins; ++position) {
    const double probability = left(basis, split, position);
    EXPECT_LE(probability, before + 1e-6);
    before = probability;
  }
  // Rows at the threshold go right, those one bin below left.
  EXPECT_LT(left(basis, split, 32), 0.5);
  EXPECT_GT(left(basis, split, 31), 0.5);
}

TEST(SoftSplit, the_values_of_a_short_scale_are_parted) {
  EncodedColumn column;
  column.edges = {0, 1, 2};
  const ColumnBasis basis = column_basis(column, false, std::vector<float>{0, 0, 1, 2, 2});
  for (const float threshold : {1.0F, 2.0F}) {
    for (const float position : {0.0F, 1.0F, 2.0F}) {
      const double probability = left(basis, {.column = 0, .threshold = threshold}, position);
      // Neighbours of the threshold score ±2: softer than sure, so that training can still move it.
      EXPECT_GE(position < threshold ? probability : 1 - probability, 0.88);
    }
  }
}

TEST(SoftSplit, missing_goes_where_it_should) {
  const ColumnBasis basis = curve();
  for (const float threshold : {5.0F, 32.0F, 60.0F}) {
    EXPECT_GE(left(basis, {.threshold = threshold, .missing_left = true}, kMissing), 0.95);
    EXPECT_LE(left(basis, {.threshold = threshold, .missing_left = false}, kMissing), 0.05);
  }
}

TEST(SoftSplit, a_threshold_beyond_the_values_parts_missing_from_all) {
  const HardSplit split{.column = 0, .threshold = kBins + 1, .missing_left = false};
  for (float position = 0; position <= kBins; ++position) {
    EXPECT_GE(left(curve(), split, position), 0.95);
  }
  EXPECT_LE(left(curve(), split, kMissing), 0.05);
}

TEST(SoftSplit, a_threshold_at_the_largest_value_parts_it_from_the_others) {
  const HardSplit split{.column = 0, .threshold = kBins, .missing_left = false};
  for (float position = 0; position <= kBins - kFar; ++position) {
    EXPECT_GE(left(curve(), split, position), 0.95);
  }
  EXPECT_LT(left(curve(), split, kBins), 0.5);
  EXPECT_LE(left(curve(), split, kMissing), 0.05);
}

TEST(SoftSplit, levels_go_their_ways) {
  // a, b, b, other (3) and missing (4) occur; c does not.
  const ColumnBasis basis = levels({0, 1, 1, 3, 4});
  const HardSplit split{.column = 0, .left = {true, false, true, false, true}};
  for (const float level : {0.0F, 4.0F}) EXPECT_GE(left(basis, split, level), 0.95);
  for (const float level : {1.0F, 3.0F}) EXPECT_LE(left(basis, split, level), 0.05);
}

TEST(SoftSplit, a_linear_column_is_split_at_its_threshold) {
  for (const float threshold : {-1.0F, 0.0F, 0.75F}) {
    const HardSplit split{.column = 0, .threshold = threshold};
    EXPECT_GE(left(linear(), split, threshold - 2), 0.95);
    EXPECT_LE(left(linear(), split, threshold + 2), 0.05);
    EXPECT_NEAR(left(linear(), split, threshold), 0.5, 1e-5);
  }
}

TEST(SoftSplit, a_node_without_a_split_sends_half_each_way) {
  HardTree tree{.splits = {std::nullopt, std::nullopt, std::nullopt}, .leaves = {1, 2, 4, 8}};
  EXPECT_NEAR(prepared(curve(), tree, 7, 2), 15 / 4.0, 1e-6);
  tree.splits[0] = HardSplit{.column = 0, .threshold = 32};
  EXPECT_NEAR(prepared(curve(), tree, 2, 2), 1.5, 0.25);
  EXPECT_NEAR(prepared(curve(), tree, 60, 2), 6, 0.25);
}

/// Three trees in a bundle of two outputs, on two columns of which the second is the finest scale.
TEST(SoftSplit, trees_of_a_bundle_keep_their_leaves_and_do_not_mix) {
  const Ensemble ensemble({.depth = 2,
                           .num_outputs = 2,
                           .columns = {linear(), curve()},
                           .bundles = {{{0, 1}, 3, 0, 2}}});
  AlignedVector<float> parameters = ensemble.make_buffer();
  const std::vector<std::uint32_t> finest = {1, 0};  // encoded column 0 is the curve
  const auto tree_at = [](std::uint32_t column, float threshold, double value) {
    HardTree tree{.splits = {HardSplit{.column = column, .threshold = threshold}, {}, {}},
                  .leaves = std::vector<double>(8, 0.0)};
    for (std::size_t leaf = 0; leaf < 2; ++leaf) {  // the left half
      tree.leaves[2 * leaf] = value;
      tree.leaves[2 * leaf + 1] = -2 * value;
    }
    return tree;
  };
  soften_tree(ensemble, 0, 0, tree_at(0, 32, 1), finest, parameters);
  soften_tree(ensemble, 0, 1, tree_at(1, 0, 10), finest, parameters);
  soften_tree(ensemble, 0, 2, tree_at(0, 48, 100), finest, parameters);
  const std::vector<double> exact(parameters.begin(), parameters.end());
  // Rows (linear, curve): left in all trees, right in the first, right in the second.
  const std::vector<float> positions = {-3, -3, 3, 2, 40, 2};
  std::vector<double> out(6);
  reference_forward(ensemble, exact, {positions.data(), 2, 3}, {out.data(), 2, 3});
  const std::vector<double> truth = {111, 110, 101};
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_NEAR(out[row], truth[row], 0.03 * 111);
    EXPECT_NEAR(out[3 + row], -2 * truth[row], 0.06 * 111);
  }
}

TEST(SoftSplit, random_splits_lie_within_their_columns) {
  const std::vector<double> numbers = {0, 0.999, 0.5, 0.25, 0.75};
  std::size_t next = 0;
  const auto draw = [&] { return numbers[next++ % numbers.size()]; };
  for (int i = 0; i < 10; ++i) {
    const HardSplit split = random_split(7, curve(), draw);
    EXPECT_EQ(split.column, 7u);
    EXPECT_GE(split.threshold, 0);
    EXPECT_LE(split.threshold, kBins);
    EXPECT_EQ(random_split(7, levels({0, 1}), draw).left.size(), 5u);
    EXPECT_LE(std::abs(random_split(7, linear(), draw).threshold), 2);
  }
}

}  // namespace
}  // namespace softwood
