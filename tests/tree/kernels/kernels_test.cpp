#include "tree/kernels/kernels.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/simd_target.h"
#include "tree/initialise.h"
#include "tree/random_forest.h"
#include "tree/reference.h"

namespace softwood {
namespace {

struct Case {
  int depth = 3;
  Activation activation = Activation::logistic;
  float gamma = 1;
  std::size_t num_trees = 3;
  std::size_t num_outputs = 1;
  std::vector<ColumnBasis> columns = mixed_columns(6);
  std::size_t num_rows = 17;

  std::string name() const {
    return "depth " + std::to_string(depth) + ", rows " + std::to_string(num_rows) + ", trees " +
           std::to_string(num_trees) + ", outputs " + std::to_string(num_outputs) + ", columns " +
           std::to_string(columns.size()) +
           (activation == Activation::logistic ? ", logistic" : ", smooth step");
  }
  Ensemble ensemble() const {
    return Ensemble(
        {.depth = depth,
         .activation = activation,
         .gamma = gamma,
         .num_outputs = num_outputs,
         .columns = columns,
         .bundles = make_bundles(num_trees, depth, first_columns(columns.size()), 0, num_outputs)});
  }
};

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

template <class A, class B>
void expect_near(const A& kernel, const B& truth, double tolerance, const char* what) {
  ASSERT_EQ(kernel.size(), truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    ASSERT_NEAR(kernel[i], truth[i], tolerance) << what << " " << i;
  }
}

void expect_kernels_match_reference(const Case& test) {
  SCOPED_TRACE(test.name());
  const Ensemble ensemble = test.ensemble();
  const Positions positions = random_positions(test.columns, test.num_rows, 1);
  const AlignedVector<float> parameters = random_parameters(ensemble, 0.7, 2);
  const std::vector<float> g = random_output_gradients(test.num_outputs * test.num_rows, 3);
  const KernelResult result = run_kernels(ensemble, parameters, positions, g);

  const std::vector<double> exact(parameters.begin(), parameters.end());
  const std::vector<double> g_exact(g.begin(), g.end());
  std::vector<double> out(test.num_outputs * test.num_rows);
  const MatrixView<const float> view(positions.data.data(), test.columns.size(), test.num_rows);
  reference_forward(ensemble, exact, view, {out.data(), test.num_outputs, test.num_rows});
  const std::vector<double> gradient =
      reference_gradient(ensemble, exact, view, {g_exact.data(), test.num_outputs, test.num_rows});
  const double scale = static_cast<double>(test.num_trees);
  expect_near(result.out, out, 1e-6 * scale, "output");
  expect_near(result.gradients, gradient, 1e-6 + 2e-6 * largest(gradient), "gradient");
}

/// Runs the test on every SIMD target of the machine and leaves the best one chosen.
class Kernels : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_simd_target(GetParam()); }
  void TearDown() override { force_simd_target(""); }
};

constexpr Activation kActivations[] = {Activation::logistic, Activation::smooth_step};
constexpr std::size_t kOddRows[] = {0, 1, 15, 16, 17, 33, 100};

TEST_P(Kernels, match_the_reference_at_every_number_of_rows) {
  for (const Activation activation : kActivations) {
    for (const std::size_t num_rows : kOddRows) {
      expect_kernels_match_reference({.activation = activation, .gamma = 3, .num_rows = num_rows});
    }
  }
}

TEST_P(Kernels, match_the_reference_at_every_depth) {
  for (const Activation activation : kActivations) {
    for (int depth = 1; depth <= kMaxDepth; ++depth) {
      expect_kernels_match_reference({.depth = depth,
                                      .activation = activation,
                                      .gamma = 2,
                                      .num_trees = depth < 6 ? std::size_t{17} : std::size_t{2},
                                      .num_outputs = 2,
                                      .num_rows = 17});
    }
  }
}

TEST_P(Kernels, match_the_reference_with_any_number_of_outputs) {
  for (const std::size_t num_outputs : {1, 2, 3, 4, 5, 7, 8, 9, 26}) {
    for (const int depth : {1, 3}) {
      expect_kernels_match_reference({.depth = depth, .num_outputs = num_outputs});
    }
  }
}

TEST_P(Kernels, match_the_reference_with_any_number_of_trees) {
  for (const std::size_t num_trees : {1, 2, 3, 5, 9, 16, 31}) {
    expect_kernels_match_reference({.num_trees = num_trees, .num_rows = 33});
  }
}

TEST_P(Kernels, match_the_reference_with_any_columns) {
  for (std::size_t count = 1; count <= 24; ++count) {
    expect_kernels_match_reference({.columns = mixed_columns(count)});
  }
  expect_kernels_match_reference({.columns = std::vector(1, linear_basis())});
  expect_kernels_match_reference({.columns = std::vector(13, linear_basis()), .num_rows = 50});
  expect_kernels_match_reference({.columns = std::vector(5, curve_basis(16, 0)), .num_rows = 100});
  expect_kernels_match_reference({.columns = std::vector(1, levels_basis(3000)), .num_rows = 100});
}

TEST_P(Kernels, match_the_reference_with_columns_on_two_scales) {
  for (const Activation activation : kActivations) {
    for (const std::size_t num_rows : kOddRows) {
      expect_kernels_match_reference({.activation = activation,
                                      .gamma = 3,
                                      .num_trees = 5,
                                      .num_outputs = 2,
                                      .columns = columns_on_two_scales(),
                                      .num_rows = num_rows});
    }
  }
}

/// Every leaf 1: the output is the number of trees.
TEST_P(Kernels, routing_probabilities_sum_to_one) {
  for (const Activation activation : kActivations) {
    for (const std::size_t num_outputs : {1, 5}) {
      const Case test{.depth = 6, .activation = activation, .num_outputs = num_outputs};
      const Ensemble ensemble = test.ensemble();
      AlignedVector<float> parameters = random_parameters(ensemble, 2, 1);
      const BundleLayout& layout = ensemble.layout(0);
      std::fill(parameters.begin() + static_cast<std::ptrdiff_t>(layout.leaves), parameters.end(),
                1.0F);
      const KernelResult result =
          run_kernels(ensemble, parameters, random_positions(test.columns, 17, 2),
                      std::vector<float>(17 * num_outputs, 1.0F));
      for (const float out : result.out) ASSERT_NEAR(out, 3, 1e-5);
    }
  }
}

TEST_P(Kernels, padding_gets_no_gradient) {
  const Case test{.num_trees = 3, .num_outputs = 3};
  const Ensemble ensemble = test.ensemble();
  const KernelResult result =
      run_kernels(ensemble, random_parameters(ensemble, 1, 1),
                  random_positions(test.columns, 17, 2), std::vector<float>(17 * 3, 1.0F));
  const BundleLayout& layout = ensemble.layout(0);
  for (std::size_t at = 0; at < layout.weights_size; ++at) {
    const std::size_t node = at / layout.block_stride * kLanes + at % kLanes;
    if (node >= layout.num_nodes) {
      EXPECT_EQ(result.gradients[layout.weights + at], 0.0F);
    }
  }
  for (std::size_t node = layout.num_nodes; node < layout.biases_size; ++node) {
    EXPECT_EQ(result.gradients[layout.biases + node], 0.0F);
  }
  for (std::size_t at = 3 * 8 * 3; at < layout.leaves_size; ++at) {
    EXPECT_EQ(result.gradients[layout.leaves + at], 0.0F);
  }
}

/// One split on one linear column, z = x, leaves 1 and 0: the output is S(x), the gradient of the
/// bias S'(x).
struct OneSplit {
  std::vector<float> probability, slope;
  OneSplit(Activation activation, float gamma, const std::vector<float>& x) {
    const Ensemble ensemble({.depth = 1,
                             .activation = activation,
                             .gamma = gamma,
                             .columns = {linear_basis()},
                             .bundles = make_bundles(1, 1, {0}, 0, 1)});
    AlignedVector<float> parameters = ensemble.make_buffer();
    parameters[ensemble.layout(0).weights] = 1;
    parameters[ensemble.layout(0).leaves] = 1;
    for (const float value : x) {
      const KernelResult result = run_kernels(ensemble, parameters, {1, {value}}, {1.0F});
      probability.push_back(result.out[0]);
      slope.push_back(result.gradients[ensemble.layout(0).biases]);
    }
  }
};

TEST_P(Kernels, the_smooth_step_is_exactly_zero_and_one_outside_its_width) {
  const OneSplit split(Activation::smooth_step, 3, {-50, -1.5F, 0, 1.5F, 50});
  EXPECT_THAT(split.probability, testing::ElementsAre(0, 0, 0.5F, 1, 1));
  EXPECT_THAT(split.slope, testing::ElementsAre(0, 0, 0.5F, 0, 0));
}

TEST_P(Kernels, the_logistic_function_is_exact_to_float) {
  std::vector<float> x;
  for (float value = -86; value <= 86; value += 0.37F) x.push_back(value);
  const OneSplit split(Activation::logistic, 1, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double truth = 1 / (1 + std::exp(-static_cast<double>(x[i])));
    // Without fused multiply-adds the exponent's rounding grows with |x|.
    ASSERT_NEAR(split.probability[i] / truth, 1, 5e-6) << x[i];
    if (std::abs(x[i]) < 10) {
      ASSERT_NEAR(split.probability[i] / truth, 1, 6e-7) << x[i];
    }
  }
}

TEST_P(Kernels, the_logistic_function_reaches_its_ends) {
  const float infinity = std::numeric_limits<float>::infinity();
  const OneSplit split(Activation::logistic, 1, {-infinity, -200, 200, infinity});
  EXPECT_NEAR(split.probability[0], 0, 1e-37);
  EXPECT_NEAR(split.probability[1], 0, 1e-37);
  EXPECT_EQ(split.probability[2], 1.0F);
  EXPECT_EQ(split.probability[3], 1.0F);
}

TEST_P(Kernels, a_nan_anywhere_shows_in_the_output) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Activation activation : kActivations) {
    for (const std::size_t num_outputs : {1, 4}) {
      const Case test{.activation = activation, .num_outputs = num_outputs};
      const Ensemble ensemble = test.ensemble();
      const BundleLayout& layout = ensemble.layout(0);
      for (const std::size_t at : {layout.weights, layout.biases, layout.leaves}) {
        AlignedVector<float> parameters = random_parameters(ensemble, 1, 1);
        parameters[at] = nan;
        const KernelResult result =
            run_kernels(ensemble, parameters, random_positions(test.columns, 17, 2),
                        std::vector<float>(17 * num_outputs, 1.0F));
        for (std::size_t row = 0; row < 17; ++row) ASSERT_TRUE(std::isnan(result.out[row]));
      }
    }
  }
}

TEST_P(Kernels, infinite_values_do_no_harm) {
  const Case test{};
  const Ensemble ensemble = test.ensemble();
  AlignedVector<float> parameters = random_parameters(ensemble, 1, 1);
  parameters[ensemble.layout(0).biases] = std::numeric_limits<float>::infinity();
  const KernelResult result = run_kernels(
      ensemble, parameters, random_positions(test.columns, 17, 2), std::vector<float>(17, 1.0F));
  for (const float out : result.out) EXPECT_TRUE(std::isfinite(out));
}

TEST_P(Kernels, bundles_split_differently_give_the_same) {
  const std::vector<ColumnBasis> columns = mixed_columns(5);
  const auto result_of = [&](std::vector<std::size_t> sizes) {
    EnsembleShape shape{.depth = 3, .num_outputs = 2, .columns = columns};
    for (const std::size_t size : sizes) shape.bundles.push_back({first_columns(5), size, 0, 2});
    const Ensemble ensemble(shape);
    AlignedVector<float> parameters = ensemble.make_buffer();
    initialise(ensemble, 4, 0, {.splits = 1, .leaves = 1}, parameters);
    return run_kernels(ensemble, parameters, random_positions(columns, 33, 5),
                       std::vector<float>(66, 1.0F));
  };
  const KernelResult together = result_of({9}), apart = result_of({2, 1, 6});
  for (std::size_t i = 0; i < together.out.size(); ++i) {
    ASSERT_NEAR(together.out[i], apart.out[i], 1e-5);
  }
}

TEST_P(Kernels, running_twice_gives_the_same_bits) {
  const Case test{.num_trees = 19, .num_outputs = 3, .num_rows = 100};
  const Ensemble ensemble = test.ensemble();
  const AlignedVector<float> parameters = random_parameters(ensemble, 1, 1);
  const Positions positions = random_positions(test.columns, 100, 2);
  const std::vector<float> g = random_output_gradients(300, 3);
  const KernelResult first = run_kernels(ensemble, parameters, positions, g);
  const KernelResult second = run_kernels(ensemble, parameters, positions, g);
  EXPECT_EQ(first.out, second.out);
  EXPECT_EQ(first.gradients, second.gradients);
}

/// A memory made for many rows serves batches of fewer.
TEST_P(Kernels, a_smaller_batch_fits_a_larger_memory) {
  const Case test{.num_outputs = 2, .num_rows = 20};
  const Ensemble ensemble = test.ensemble();
  const AlignedVector<float> values = random_parameters(ensemble, 1, 1);
  const Positions positions = random_positions(test.columns, 20, 2);
  const Batch batch = whole_batch(ensemble, positions);
  std::vector<float> tight(40), roomy(40);
  BundleMemory small(ensemble, 0, 20), large(ensemble, 0, 300);
  AlignedVector<float> tight_gradients = ensemble.make_buffer(), roomy_gradients = tight_gradients;
  forward(ensemble, 0, values, batch, small, {tight.data(), 2, 20});
  forward(ensemble, 0, values, batch, large, {roomy.data(), 2, 20});
  EXPECT_EQ(tight, roomy);
  backward(ensemble, 0, values, batch, small, {tight.data(), 2, 20}, tight_gradients);
  backward(ensemble, 0, values, batch, large, {roomy.data(), 2, 20}, roomy_gradients);
  EXPECT_EQ(tight_gradients, roomy_gradients);
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, Kernels, testing::ValuesIn(simd_targets()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace softwood
