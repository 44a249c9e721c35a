#include "tree/kernels.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/simd_target.h"
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
    return Ensemble({.depth = depth,
                     .activation = activation,
                     .gamma = gamma,
                     .num_outputs = num_outputs,
                     .columns = columns,
                     .bundles = make_bundles(num_trees, depth, first_columns(columns.size()), 0,
                                             num_outputs, 0)});
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
  const std::vector<double> gradient = reference_gradient(
      ensemble, exact, view, {g_exact.data(), test.num_outputs, test.num_rows});
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
      expect_kernels_match_reference(
          {.activation = activation, .gamma = 3, .num_rows = num_rows});
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

INSTANTIATE_TEST_SUITE_P(EveryTarget, Kernels, testing::ValuesIn(simd_targets()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace softwood
