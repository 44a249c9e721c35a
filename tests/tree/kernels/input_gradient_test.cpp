#include "tree/kernels/input_gradient.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/simd_target.h"
#include "base/thread_team.h"
#include "tree/batch_pass.h"
#include "tree/random_forest.h"
#include "tree/reference.h"

namespace softwood {
namespace {

struct Case {
  int depth = 3;
  Activation activation = Activation::logistic;
  std::size_t num_trees = 5;
  std::size_t num_outputs = 1;
  std::vector<ColumnBasis> columns = columns_on_two_scales();
  std::size_t num_sources = 4;
  std::size_t num_rows = 17;
};

/// Trees, rows and gradients at their outputs, all random, in both precisions.
struct Scene {
  explicit Scene(const Case& test)
      : num_sources(test.num_sources),
        ensemble({.depth = test.depth,
                  .activation = test.activation,
                  .gamma = 4,
                  .num_outputs = test.num_outputs,
                  .columns = test.columns,
                  .bundles = bundles_of(test)}),
        parameters(random_parameters(ensemble, 0.7, 2)),
        values(plain_sizes(ensemble)),
        positions(random_positions({test.columns.begin(), test.columns.begin() + test.num_sources},
                                   test.num_rows, 1)),
        output_gradients(random_output_gradients(test.num_outputs * test.num_rows, 3)) {
    const AlignedVector<float> buffer = all_curves(ensemble, parameters);
    const auto parts = by_bundle(ensemble, values.view());
    for (std::size_t bundle = 0; bundle < parts.size(); ++bundle) {
      plain_from_values<float>(ensemble, bundle, buffer, parts[bundle]);
    }
  }

  /// Many trees with all columns, and a narrow one that feeds the last output only.
  static std::vector<Bundle> bundles_of(const Case& test) {
    const auto all = first_columns(test.columns.size());
    std::vector<Bundle> bundles =
        make_bundles(test.num_trees, test.depth, all, 0, test.num_outputs);
    bundles.push_back({.columns = {all.back()},
                       .num_trees = 1,
                       .first_output = test.num_outputs - 1,
                       .num_outputs = 1});
    return bundles;
  }

  std::size_t num_sources;
  Ensemble ensemble;
  AlignedVector<float> parameters;
  PlainNumbers<float> values;
  Positions positions;
  std::vector<float> output_gradients;
};

template <class T>
std::vector<T> as(const auto& numbers) {
  return {numbers.begin(), numbers.end()};
}

template <class T>
PlainNumbers<T> as_plain(const Scene& scene) {
  PlainNumbers<T> numbers(plain_sizes(scene.ensemble));
  numbers.curves = as<T>(scene.values.curves);
  numbers.biases = as<T>(scene.values.biases);
  numbers.leaves = as<T>(scene.values.leaves);
  return numbers;
}

template <class T>
struct Result {
  std::vector<double> out, position_gradients;
  std::vector<T> gradients;  // curves, biases, leaves

  bool operator==(const Result&) const = default;
};

template <class T>
Result<T> run(const Scene& scene, int threads = 1, int times = 1) {
  ThreadTeam team(threads);
  const std::size_t num_rows = scene.positions.num_rows;
  const std::size_t num_outputs = scene.ensemble.shape().num_outputs;
  const PlainNumbers<T> values = as_plain<T>(scene);
  BatchPass<T> pass(scene.ensemble, values.view(), as<T>(scene.positions.data), num_rows, team);
  Result<T> result;
  result.out.assign(num_outputs * num_rows, 77);
  result.position_gradients.assign(scene.num_sources * num_rows, 77);
  pass.forward(team, {result.out.data(), num_outputs, num_rows});
  const std::vector<T> g = as<T>(scene.output_gradients);
  PlainNumbers<T> gradients(plain_sizes(scene.ensemble));
  for (int time = 0; time < times; ++time) {
    pass.backward({g.data(), num_outputs, num_rows}, gradients.view(),
                  {result.position_gradients.data(), scene.num_sources, num_rows}, team);
  }
  result.gradients = gradients.curves;
  for (const auto& part : {gradients.biases, gradients.leaves}) {
    result.gradients.insert(result.gradients.end(), part.begin(), part.end());
  }
  return result;
}

/// Σ output_gradients · out.
double weighted_sum(const Scene& scene, const std::vector<double>& out) {
  double sum = 0;
  for (std::size_t i = 0; i < out.size(); ++i) sum += out[i] * scene.output_gradients[i];
  return sum;
}

double reference_sum(const Scene& scene) {
  const std::size_t num_rows = scene.positions.num_rows;
  std::vector<double> out(scene.ensemble.shape().num_outputs * num_rows);
  reference_forward(scene.ensemble, as<double>(scene.parameters), scene.positions.view(),
                    {out.data(), scene.ensemble.shape().num_outputs, num_rows});
  return weighted_sum(scene, out);
}

/// True if some column's curve has a kink within `step` of the position, or its end.
bool is_near_kink(const Scene& scene, std::size_t source, float stored, float step) {
  const auto bend = [&](const ColumnBasis& basis) {
    const float from = basis.position(stored - step), to = basis.position(stored + step);
    return std::floor(from) != std::floor(to) || to >= static_cast<float>(basis.num_knots - 2);
  };
  const EnsembleShape& shape = scene.ensemble.shape();
  for (std::size_t column = 0; column < shape.columns.size(); ++column) {
    if (shape.source_of(column) != source) continue;
    if (shape.columns[column].kind == ColumnBasis::Kind::curve && bend(shape.columns[column]))
      return true;
  }
  return std::floor(stored - step) != std::floor(stored + step);
}

template <class T>
void expect_near(const std::vector<T>& actual, const std::vector<double>& truth, double tolerance,
                 const char* what) {
  ASSERT_EQ(actual.size(), truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    ASSERT_NEAR(actual[i], truth[i], tolerance) << what << " " << i;
  }
}

/// The reference knows positions as floats: a step of 2^−9 is exact in them, and small enough.
template <class T>
void expect_finite_differences(const Case& test) {
  Scene scene(test);
  const Result<T> result = run<T>(scene);
  constexpr float kStep = 1.0F / 512;
  std::size_t checked = 0;
  for (std::size_t i = 0; i < scene.positions.data.size(); ++i) {
    const std::size_t source = i / test.num_rows;
    const float at = scene.positions.data[i];
    const auto kind = scene.ensemble.shape().columns[source].kind;
    if (kind == ColumnBasis::Kind::levels) continue;
    if (kind == ColumnBasis::Kind::curve && is_near_kink(scene, source, at, kStep)) continue;
    scene.positions.data[i] = at + kStep;
    const double above = reference_sum(scene);
    scene.positions.data[i] = at - kStep;
    const double below = reference_sum(scene);
    scene.positions.data[i] = at;
    ASSERT_NEAR(result.position_gradients[i], (above - below) / (2 * kStep), 3e-5)
        << "source " << source << ", position " << at;
    ++checked;
  }
  EXPECT_GT(checked, test.num_rows);
}

TEST(InputGradient, equals_finite_differences_of_the_reference) {
  for (const Activation activation : {Activation::logistic, Activation::smooth_step}) {
    for (const int depth : {1, 3, 5}) {
      SCOPED_TRACE(depth);
      const Case test{.depth = depth, .activation = activation, .num_outputs = 2};
      expect_finite_differences<double>(test);
      expect_finite_differences<float>(test);
    }
  }
  expect_finite_differences<float>(
      {.depth = kSkippingDepth, .activation = Activation::smooth_step, .num_trees = 1});
}

TEST(InputGradient, values_get_the_gradients_of_finite_differences_in_double) {
  const Scene scene(Case{.depth = 2, .num_trees = 2, .num_outputs = 2, .num_rows = 9});
  const Result<double> result = run<double>(scene);
  ThreadTeam team(1);
  PlainNumbers<double> values = as_plain<double>(scene);
  const auto sum = [&] {
    std::vector<double> out(2 * 9);
    BatchPass<double> pass(scene.ensemble, std::as_const(values).view(),
                           as<double>(scene.positions.data), 9, team);
    pass.forward(team, {out.data(), 2, 9});
    return weighted_sum(scene, out);
  };
  std::size_t checked = 0;
  for (std::vector<double>* const part : {&values.curves, &values.biases, &values.leaves}) {
    for (double& value : *part) {
      const double at = value;
      constexpr double kStep = 1e-5;
      value = at + kStep;
      const double above = sum();
      value = at - kStep;
      const double below = sum();
      value = at;
      ASSERT_NEAR(result.gradients[checked++], (above - below) / (2 * kStep), 1e-8);
    }
  }
  EXPECT_EQ(checked, result.gradients.size());
}

/// Runs the test on every SIMD target of the machine and leaves the best one chosen.
class InputGradients : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_simd_target(GetParam()); }
  void TearDown() override { force_simd_target(""); }
};
INSTANTIATE_TEST_SUITE_P(Targets, InputGradients, testing::ValuesIn(simd_targets()),
                         [](const auto& target) { return target.param; });

void expect_kernels_equal_doubles(const Case& test) {
  SCOPED_TRACE("depth " + std::to_string(test.depth) + ", rows " + std::to_string(test.num_rows) +
               ", outputs " + std::to_string(test.num_outputs));
  const Scene scene(test);
  const Result<float> single = run<float>(scene);
  const Result<double> exact = run<double>(scene);
  const double scale = 1e-6 * static_cast<double>(test.num_trees + 1);
  expect_near(single.out, exact.out, scale, "output");
  expect_near(single.position_gradients, exact.position_gradients, 3 * scale, "position");
  expect_near(single.gradients, exact.gradients,
              scale * (1 + static_cast<double>(test.num_rows) / 8), "value");
}

TEST_P(InputGradients, kernels_equal_the_double_path_to_float_accuracy) {
  for (const std::size_t num_rows : {0, 1, 15, 16, 17, 70}) {
    expect_kernels_equal_doubles({.num_rows = num_rows});
    expect_kernels_equal_doubles({.activation = Activation::smooth_step,
                                  .num_trees = 37,
                                  .num_outputs = 3,
                                  .num_rows = num_rows});
    expect_kernels_equal_doubles({.depth = kSkippingDepth + 1,
                                  .activation = Activation::smooth_step,
                                  .num_trees = 2,
                                  .num_outputs = 2,
                                  .num_rows = num_rows});
    expect_kernels_equal_doubles({.depth = 6,
                                  .num_trees = 2,
                                  .columns = std::vector<ColumnBasis>(11, linear_basis()),
                                  .num_sources = 11,
                                  .num_rows = num_rows});
  }
}

TEST(InputGradient, levels_missing_cells_and_the_last_edge_have_none) {
  Scene scene(Case{.num_rows = 3});
  const float last_edge = 12;  // of source 0: twelve stored bins, then missing
  scene.positions.data = {last_edge, last_edge + 1, 2.5F, 0, 0, 0, 1, 4, 2, 0, 0, 0};
  for (const auto& gradients :
       {run<float>(scene).position_gradients, run<double>(scene).position_gradients}) {
    EXPECT_EQ(gradients[0], 0);
    EXPECT_EQ(gradients[1], 0);
    EXPECT_NE(gradients[2], 0);
    for (std::size_t row = 0; row < 3; ++row) EXPECT_EQ(gradients[2 * 3 + row], 0);
  }
}

TEST(BatchPass, any_number_of_threads_gives_the_same_bits) {
  const Scene scene(Case{.num_trees = 50, .num_outputs = 2, .num_rows = 200});
  EXPECT_EQ(run<float>(scene, 1), run<float>(scene, 3));
  EXPECT_EQ(run<double>(scene, 1), run<double>(scene, 3));
}

TEST(BatchPass, a_second_way_back_gives_the_same_bits) {
  const Scene scene(Case{});
  EXPECT_EQ(run<float>(scene, 1, 1), run<float>(scene, 1, 2));
  EXPECT_EQ(run<double>(scene, 1, 1), run<double>(scene, 1, 2));
}

TEST(BatchPass, outputs_are_those_of_the_reference) {
  const Scene scene(Case{.num_outputs = 2});
  EXPECT_NEAR(weighted_sum(scene, run<double>(scene).out), reference_sum(scene), 1e-5);
}

TEST(PlainTensors, go_into_a_buffer_and_come_back) {
  const Scene scene(Case{});
  AlignedVector<float> buffer = scene.ensemble.make_buffer();
  const auto parts = by_bundle(scene.ensemble, std::as_const(scene.values).view());
  for (std::size_t bundle = 0; bundle < parts.size(); ++bundle) {
    values_from_plain<float>(scene.ensemble, bundle, parts[bundle], buffer);
  }
  EXPECT_EQ(buffer, all_curves(scene.ensemble, scene.parameters));
}

}  // namespace
}  // namespace softwood
