#include "tree/ensemble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tree/random_forest.h"

namespace softwood {
namespace {

using testing::ElementsAre;

std::vector<std::size_t> sizes_of(const std::vector<Bundle>& bundles) {
  std::vector<std::size_t> sizes;
  for (const Bundle& bundle : bundles) sizes.push_back(bundle.num_trees);
  return sizes;
}

TEST(Ensemble, trees_are_dealt_into_bundles_of_sixteen_and_a_rest) {
  EXPECT_THAT(sizes_of(make_bundles(20, 3, {0}, 0, 1)), ElementsAre(16, 4));
  EXPECT_THAT(sizes_of(make_bundles(2, 3, {0}, 0, 1)), ElementsAre(2));
}

TEST(Ensemble, bundles_of_deep_trees_are_smaller) {
  EXPECT_THAT(sizes_of(make_bundles(9, 6, {0}, 0, 1)), ElementsAre(2, 2, 2, 3));
  EXPECT_THAT(sizes_of(make_bundles(2, 10, {0}, 0, 1)), ElementsAre(1, 1));
}

TEST(Ensemble, bundles_give_two_and_four_threads_equal_shares_where_vectors_stay_full) {
  EXPECT_THAT(sizes_of(make_bundles(100, 4, {0}, 0, 1)), ElementsAre(16, 9, 16, 9, 16, 9, 16, 9));
  EXPECT_THAT(sizes_of(make_bundles(50, 4, {0}, 0, 1)), ElementsAre(16, 9, 16, 9));
  EXPECT_THAT(sizes_of(make_bundles(48, 3, {0}, 0, 1)), ElementsAre(16, 8, 16, 8));
}

TEST(Ensemble, narrow_trees_share_columns_until_a_vector_is_full) {
  EXPECT_EQ(narrow_trees_per_bundle(1), 16U);
  EXPECT_EQ(narrow_trees_per_bundle(2), 5U);
  EXPECT_EQ(narrow_trees_per_bundle(3), 2U);
  EXPECT_EQ(narrow_trees_per_bundle(4), 1U);
  EXPECT_EQ(narrow_trees_per_bundle(10), 1U);
}

TEST(Ensemble, bundles_carry_columns_outputs_and_group) {
  const std::vector<Bundle> bundles = make_bundles(17, 2, {1, 4}, 3, 2);
  ASSERT_EQ(bundles.size(), 4U);
  for (const Bundle& bundle : bundles) {
    EXPECT_THAT(bundle.columns, ElementsAre(1, 4));
    EXPECT_EQ(bundle.first_output, 3U);
    EXPECT_EQ(bundle.num_outputs, 2U);
  }
}

TEST(Ensemble, bundles_lie_side_by_side_on_whole_vectors) {
  const Ensemble ensemble({.depth = 3,
                           .num_outputs = 3,
                           .columns = mixed_columns(5),
                           .bundles = make_bundles(19, 3, {0, 1, 2, 4}, 0, 3)});
  std::size_t end = 0;
  for (std::size_t bundle = 0; bundle < 2; ++bundle) {
    const BundleLayout& layout = ensemble.layout(bundle);
    EXPECT_EQ(layout.begin(), end);
    EXPECT_EQ(layout.weights + layout.weights_size, layout.biases);
    EXPECT_EQ(layout.biases + layout.biases_size, layout.leaves);
    for (const std::size_t offset : {layout.weights, layout.biases, layout.leaves}) {
      EXPECT_EQ(offset % kLanes, 0U);
    }
    end = layout.end();
  }
  EXPECT_EQ(ensemble.buffer_size(), end);
  EXPECT_EQ(ensemble.make_buffer().size(), end);
  EXPECT_EQ(ensemble.shape().num_trees(), 19U);
}

TEST(Ensemble, columns_are_placed_by_kind) {
  const Ensemble ensemble({.depth = 3,
                           .columns = mixed_columns(5),
                           .bundles = make_bundles(16, 3, {0, 1, 2, 4}, 0, 1)});
  const BundleLayout& layout = ensemble.layout(0);
  EXPECT_EQ(layout.num_nodes, 112U);
  EXPECT_EQ(layout.num_blocks, 7U);
  // A curve of 4 bins has 6 parameters, then a linear column, 2 levels, a linear column.
  EXPECT_THAT(layout.column_offset, ElementsAre(0, 6 * kLanes, 7 * kLanes, 9 * kLanes));
  EXPECT_EQ(layout.block_stride, 10 * kLanes);
  ASSERT_EQ(layout.knot_columns.size(), 2U);
  ASSERT_EQ(layout.linear_columns.size(), 2U);
  EXPECT_EQ(layout.knot_columns[1].column, 2U);
  EXPECT_EQ(layout.knot_columns[1].offset, 7 * kLanes);
  EXPECT_EQ(layout.knot_columns[1].num_knots, 2U);
  EXPECT_EQ(layout.linear_columns[1].column, 4U);
}

TEST(Ensemble, columns_in_use_are_those_of_some_bundle_each_once) {
  EnsembleShape shape{.depth = 2, .columns = mixed_columns(6)};
  EXPECT_THAT(shape.columns_in_use(), ElementsAre());
  shape.bundles = {{{1, 4}, 1, 0, 1}, {{0, 4}, 1, 0, 1}};
  EXPECT_THAT(shape.columns_in_use(), ElementsAre(0, 1, 4));
}

TEST(Ensemble, a_column_without_a_source_reads_its_own_place) {
  EnsembleShape shape{.depth = 2, .columns = mixed_columns(3)};
  shape.columns[2].source = 1;
  EXPECT_EQ(shape.source_of(0), 0U);
  EXPECT_EQ(shape.source_of(1), 1U);
  EXPECT_EQ(shape.source_of(2), 1U);
}

/// Three outputs; the second bundle adds to the last two only.
Ensemble three_outputs() {
  std::vector<Bundle> bundles = make_bundles(19, 3, {0, 1, 2, 4}, 0, 3);
  bundles.push_back({.columns = {0}, .num_trees = 2, .first_output = 1, .num_outputs = 2});
  return Ensemble({.depth = 3, .num_outputs = 3, .columns = mixed_columns(5), .bundles = bundles});
}

TEST(Ensemble, scaled_leaves_scale_their_outputs_and_no_others) {
  const Ensemble ensemble = three_outputs();
  const Positions positions = random_positions(ensemble.shape().columns, 20, 1);
  const AlignedVector<float> before = random_parameters(ensemble, 1, 2);
  const std::vector<float> g(60, 1.0F);
  const std::vector<float> plain = run_kernels(ensemble, before, positions, g).out;
  for (std::size_t first = 0; first < 3; ++first) {
    for (std::size_t count = 1; first + count <= 3; ++count) {
      AlignedVector<float> after = before;
      scale_leaves(ensemble, first, count, 0.25, after);
      const std::vector<float> scaled = run_kernels(ensemble, after, positions, g).out;
      for (std::size_t i = 0; i < plain.size(); ++i) {
        const bool touched = i / 20 >= first && i / 20 < first + count;
        ASSERT_EQ(scaled[i], (touched ? 0.25F : 1.0F) * plain[i]);
      }
    }
  }
}

TEST(Ensemble, scaling_leaves_leaves_splits_alone) {
  const Ensemble ensemble = three_outputs();
  const AlignedVector<float> before = random_parameters(ensemble, 1, 2);
  AlignedVector<float> after = before;
  scale_leaves(ensemble, 0, 3, 0, after);
  for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle) {
    const BundleLayout& layout = ensemble.layout(bundle);
    for (std::size_t at = layout.begin(); at < layout.end(); ++at) {
      ASSERT_EQ(after[at], at < layout.leaves ? before[at] : 0.0F);
    }
  }
}

}  // namespace
}  // namespace softwood
