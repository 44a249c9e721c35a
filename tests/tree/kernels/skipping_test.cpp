#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/simd_target.h"
#include "tree/predict.h"
#include "tree/random_forest.h"
#include "tree/reference.h"

namespace softwood {
namespace {

struct Case {
  int depth = kSkippingDepth;
  float gamma = 2;
  std::size_t num_trees = 3;
  std::size_t num_outputs = 1;
  std::vector<ColumnBasis> columns = mixed_columns(6);
  std::size_t num_rows = 33;

  Ensemble ensemble() const {
    return Ensemble({.depth = depth,
                     .activation = Activation::smooth_step,
                     .gamma = gamma,
                     .num_outputs = num_outputs,
                     .columns = columns,
                     .bundles = {{first_columns(columns.size()), num_trees, 0, num_outputs}}});
  }
};

struct Result {
  std::vector<float> out;
  AlignedVector<float> gradients;
  std::size_t num_visits = 0, num_places = 0;  // of rows to blocks; all that there could be
};

Result run(const Case& test, bool skip) {
  const Ensemble ensemble = test.ensemble();
  const Positions positions = random_positions(test.columns, test.num_rows, 1);
  const AlignedVector<float> values = all_curves(ensemble, random_parameters(ensemble, 0.7, 2));
  const std::vector<float> g = random_output_gradients(test.num_outputs * test.num_rows, 3);
  const Batch batch = whole_batch(ensemble, positions);
  Result result;
  result.gradients = AlignedVector<float>(ensemble.buffer_size(), 123.0F);
  for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle) {
    BundleMemory memory(ensemble, bundle, test.num_rows);
    memory.visits.skip = skip;
    std::vector<float> out(g.size(), 77.0F);
    forward(ensemble, bundle, values, batch, memory, {out.data(), test.num_outputs, test.num_rows});
    result.out.insert(result.out.end(), out.begin(), out.end());
    result.num_visits += memory.visits.count;
    result.num_places += ensemble.layout(bundle).num_blocks * test.num_rows;
    backward(ensemble, bundle, values, batch, memory, {g.data(), test.num_outputs, test.num_rows},
             result.gradients);
  }
  return result;
}

/// Runs the test on every SIMD target of the machine and leaves the best one chosen.
class Skipping : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_simd_target(GetParam()); }
  void TearDown() override { force_simd_target(""); }
};

void expect_matches_reference(const Case& test) {
  SCOPED_TRACE("depth " + std::to_string(test.depth) + ", gamma " + std::to_string(test.gamma) +
               ", rows " + std::to_string(test.num_rows) + ", outputs " +
               std::to_string(test.num_outputs));
  const Ensemble ensemble = test.ensemble();
  const Positions positions = random_positions(test.columns, test.num_rows, 1);
  const AlignedVector<float> parameters = random_parameters(ensemble, 0.7, 2);
  const std::vector<float> g = random_output_gradients(test.num_outputs * test.num_rows, 3);
  const KernelResult result = run_kernels(ensemble, parameters, positions, g);
  const std::vector<double> exact(parameters.begin(), parameters.end());
  const std::vector<double> g_exact(g.begin(), g.end());
  std::vector<double> out(g.size());
  reference_forward(ensemble, exact, positions.view(),
                    {out.data(), test.num_outputs, test.num_rows});
  const std::vector<double> gradient = reference_gradient(
      ensemble, exact, positions.view(), {g_exact.data(), test.num_outputs, test.num_rows});
  double largest = 0;
  for (const double value : gradient) largest = std::max(largest, std::abs(value));
  // Steep steps make more of a rounding error of z.
  const double tolerance = 3e-6 * std::max(1.0, 1 / static_cast<double>(test.gamma));
  for (std::size_t i = 0; i < out.size(); ++i) {
    ASSERT_NEAR(result.out[i], out[i], tolerance * static_cast<double>(test.num_trees)) << i;
  }
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    ASSERT_NEAR(result.gradients[i], gradient[i], tolerance * (1 + largest)) << i;
  }
}

TEST_P(Skipping, matches_the_reference_at_every_depth) {
  for (int depth = kSkippingDepth; depth <= kMaxDepth; ++depth) {
    expect_matches_reference({.depth = depth, .num_trees = 1, .num_outputs = 2, .num_rows = 17});
    expect_matches_reference({.depth = depth, .gamma = 0.3F, .num_trees = 1, .num_rows = 5});
  }
}

TEST_P(Skipping, matches_the_reference_with_any_rows_outputs_and_columns) {
  for (const std::size_t num_rows : {0, 1, 2, 3, 4, 5, 16, 17, 100}) {
    expect_matches_reference({.depth = 8, .gamma = 1, .num_rows = num_rows});
  }
  for (const std::size_t num_outputs : {1, 2, 3, 5, 16, 26}) {
    expect_matches_reference({.gamma = 1, .num_outputs = num_outputs});
  }
  for (std::size_t count = 1; count <= 20; ++count) {
    expect_matches_reference({.num_trees = 1, .columns = mixed_columns(count)});
  }
  expect_matches_reference({.columns = std::vector(13, linear_basis()), .num_rows = 50});
  expect_matches_reference({.columns = columns_on_two_scales(), .num_rows = 50});
}

TEST_P(Skipping, going_where_a_row_has_no_chance_changes_no_bit_of_the_output) {
  for (const int depth : {8, 9, 10}) {
    for (const float gamma : {0.2F, 2.0F}) {
      for (const std::size_t num_outputs : {1, 3}) {
        const Case test{.depth = depth, .gamma = gamma, .num_outputs = num_outputs};
        const Result skipped = run(test, true), everywhere = run(test, false);
        EXPECT_EQ(skipped.out, everywhere.out);
        for (std::size_t i = 0; i < skipped.gradients.size(); ++i) {
          ASSERT_NEAR(skipped.gradients[i], everywhere.gradients[i],
                      1e-5 * (1 + std::abs(skipped.gradients[i])));
        }
        EXPECT_LT(skipped.num_visits, everywhere.num_visits);
        EXPECT_EQ(everywhere.num_visits, everywhere.num_places);
      }
    }
  }
}

TEST_P(Skipping, a_hard_tree_sends_a_row_through_one_block_of_every_four_levels) {
  for (const int depth : {8, 9, 12}) {
    const Case test{.depth = depth, .gamma = 1e-6F, .num_trees = 1};
    EXPECT_EQ(run(test, true).num_visits, (depth + 3) / 4 * test.num_rows) << depth;
  }
}

TEST_P(Skipping, a_row_alone_gets_the_bits_that_it_gets_among_others) {
  for (const std::size_t num_outputs : {1, 3}) {
    const Case test{.depth = 9, .gamma = 1, .num_outputs = num_outputs, .num_rows = 70};
    const Ensemble ensemble = test.ensemble();
    const Positions positions = random_positions(test.columns, test.num_rows, 1);
    const AlignedVector<float> values = all_curves(ensemble, random_parameters(ensemble, 0.7, 2));
    const auto predicted = [&](std::size_t rows_at_once) {
      std::vector<double> out(num_outputs * test.num_rows);
      Predictor(ensemble, values, rows_at_once)
          .predict(positions.view(), 0, test.num_rows,
                   MatrixView<double>(out.data(), num_outputs, test.num_rows));
      return out;
    };
    const std::vector<double> together = predicted(70);
    for (const std::size_t rows_at_once : {1, 3, 4, 33}) {
      EXPECT_EQ(predicted(rows_at_once), together);
    }
  }
}

TEST_P(Skipping, lanes_without_a_node_get_no_gradient) {
  const Case test{.depth = 9, .num_outputs = 3};
  const Ensemble ensemble = test.ensemble();
  const Result result = run(test, true);
  for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle) {
    const BundleLayout& layout = ensemble.layout(bundle);
    const std::vector<bool> is_node = slots_with_nodes(layout);
    for (std::size_t at = 0; at < layout.weights_size; ++at) {
      if (is_node[at / layout.block_stride * kLanes + at % kLanes]) continue;
      ASSERT_EQ(result.gradients[layout.weights + at], 0.0F);
    }
    for (std::size_t slot = 0; slot < is_node.size(); ++slot) {
      if (!is_node[slot]) {
        ASSERT_EQ(result.gradients[layout.biases + slot], 0.0F);
      }
    }
  }
}

TEST_P(Skipping, a_nan_that_rows_come_across_shows_in_the_output) {
  const Case test{.num_trees = 1};
  const Ensemble ensemble = test.ensemble();
  const BundleLayout& layout = ensemble.layout(0);
  for (const std::size_t at : {layout.weights, layout.biases}) {
    AlignedVector<float> parameters = random_parameters(ensemble, 1, 1);
    parameters[at] = std::numeric_limits<float>::quiet_NaN();
    const KernelResult result = run_kernels(
        ensemble, parameters, random_positions(test.columns, 17, 2), std::vector<float>(17, 1.0F));
    for (const float out : result.out) ASSERT_TRUE(std::isnan(out));
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, Skipping, testing::ValuesIn(simd_targets()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace softwood
