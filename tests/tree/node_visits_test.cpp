#include "tree/node_visits.h"

#include <numeric>

#include <gtest/gtest.h>

#include "tree/random_forest.h"

namespace softwood {
namespace {

std::vector<double> visits_at(Activation activation, float gamma, int depth = 4) {
  const std::vector<ColumnBasis> columns = mixed_columns(6);
  const Ensemble ensemble({.depth = depth,
                           .activation = activation,
                           .gamma = gamma,
                           .columns = columns,
                           .bundles = make_bundles(3, depth, first_columns(6), 0, 1)});
  const Positions positions = random_positions(columns, 50, 1);
  const std::vector<std::uint32_t> rows = first_columns(50);
  return mean_node_visits(ensemble, all_curves(ensemble, random_parameters(ensemble, 0.7, 2)),
                          {positions.view(), rows});
}

TEST(NodeVisits, a_hard_tree_is_one_path) {
  for (const int depth : {1, 4, 9}) {
    const auto all = static_cast<std::size_t>(depth);
    EXPECT_EQ(visits_at(Activation::smooth_step, 1e-6F, depth), std::vector<double>(all, 1.0));
  }
}

TEST(NodeVisits, everything_is_reached_by_the_logistic_function_and_by_a_wide_step) {
  const std::vector<double> everything = {1, 2, 4, 8};
  EXPECT_EQ(visits_at(Activation::logistic, 1), everything);
  EXPECT_EQ(visits_at(Activation::smooth_step, 1000), everything);
  EXPECT_EQ(share_visited(everything), 1);
}

TEST(NodeVisits, wider_steps_reach_more) {
  double before = 0;
  for (const float gamma : {0.1F, 0.5F, 1.0F, 2.0F, 5.0F}) {
    const double share = share_visited(visits_at(Activation::smooth_step, gamma));
    EXPECT_GT(share, before);
    EXPECT_LE(share, 1);
    before = share;
  }
}

/// The kernels count blocks, which of depth 9 start at levels 0, 1 and 5.
TEST(NodeVisits, agree_with_the_blocks_that_the_kernels_visit) {
  const std::vector<ColumnBasis> columns = mixed_columns(6);
  const Ensemble ensemble({.depth = 9,
                           .activation = Activation::smooth_step,
                           .gamma = 0.5F,
                           .columns = columns,
                           .bundles = make_bundles(1, 9, first_columns(6), 0, 1)});
  const Positions positions = random_positions(columns, 50, 1);
  const AlignedVector<float> values = all_curves(ensemble, random_parameters(ensemble, 0.7, 2));
  const std::vector<std::uint32_t> rows = first_columns(50);
  const std::vector<double> visits = mean_node_visits(ensemble, values, {positions.view(), rows});
  BundleMemory memory(ensemble, 0, 50);
  std::vector<float> out(50);
  forward(ensemble, 0, values, whole_batch(ensemble, positions), memory, {out.data(), 1, 50});
  EXPECT_NEAR(visits[0] + visits[1] + visits[5], static_cast<double>(memory.visits.count) / 50,
              0.1);
}

TEST(NodeVisits, without_rows_nothing_is_known) {
  const Ensemble ensemble(
      {.depth = 2, .columns = {linear_basis()}, .bundles = make_bundles(1, 2, {0}, 0, 1)});
  EXPECT_TRUE(mean_node_visits(ensemble, ensemble.make_buffer(), {{}, {}}).empty());
}

}  // namespace
}  // namespace softwood
