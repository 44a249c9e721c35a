#include "tree/predict.h"

#include <algorithm>
#include <bit>
#include <limits>

#include <gtest/gtest.h>

#include "base/simd_target.h"
#include "tree/random_forest.h"
#include "tree/reference.h"

namespace softwood {
namespace {

constexpr std::size_t kRows = 290;

Ensemble make_ensemble(Activation activation, std::size_t num_outputs, int depth) {
  const std::vector<ColumnBasis> columns = mixed_columns(9);
  std::vector<Bundle> bundles = make_bundles(19, depth, first_columns(9), 0, num_outputs);
  bundles.push_back(
      {.columns = {2, 5}, .num_trees = 2, .first_output = num_outputs - 1, .num_outputs = 1});
  return Ensemble({.depth = depth,
                   .activation = activation,
                   .gamma = 3,
                   .num_outputs = num_outputs,
                   .columns = columns,
                   .bundles = bundles});
}

template <class T = double>
std::vector<T> predict(const Ensemble& ensemble, const AlignedVector<float>& values,
                       const Positions& positions, std::size_t rows_at_once) {
  const std::size_t num_outputs = ensemble.shape().num_outputs;
  std::vector<T> out(num_outputs * positions.num_rows);
  Predictor predictor(ensemble, values, rows_at_once);
  predictor.predict(positions.view(), 0, positions.num_rows,
                    MatrixView<T>(out.data(), num_outputs, positions.num_rows));
  return out;
}

/// Row i of the result is row order[i].
Positions reordered(const Positions& positions, const std::vector<std::uint32_t>& order) {
  Positions result{order.size(), {}};
  for (std::size_t at = 0; at < positions.data.size(); at += positions.num_rows) {
    for (const std::uint32_t row : order) result.data.push_back(positions.data[at + row]);
  }
  return result;
}

void expect_same_bits(double a, double b) {
  ASSERT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b));
}

class Predict : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_simd_target(GetParam()); }
  void TearDown() override { force_simd_target(""); }

  struct Scene {
    Ensemble ensemble;
    Positions positions;
    AlignedVector<float> parameters, values;
    explicit Scene(Activation activation = Activation::logistic, std::size_t num_outputs = 3,
                   int depth = 3)
        : ensemble(make_ensemble(activation, num_outputs, depth)),
          positions(random_positions(ensemble.shape().columns, kRows, 4)),
          parameters(random_parameters(ensemble, 0.7, 5)),
          values(all_curves(ensemble, parameters)) {}
  };
};

TEST_P(Predict, equals_the_reference) {
  for (const Activation activation : {Activation::logistic, Activation::smooth_step}) {
    const Scene scene(activation);
    std::vector<double> truth(3 * kRows);
    const std::vector<double> exact(scene.parameters.begin(), scene.parameters.end());
    reference_forward(scene.ensemble, exact, scene.positions.view(), {truth.data(), 3, kRows});
    const std::vector<double> out = predict(scene.ensemble, scene.values, scene.positions, 32);
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(out[i], truth[i], 2e-5);
  }
}

TEST_P(Predict, rows_alone_equal_rows_in_a_batch_bit_for_bit) {
  for (const std::size_t num_outputs : {1, 3, 26}) {
    const Scene scene(Activation::logistic, num_outputs);
    const std::vector<double> together =
        predict(scene.ensemble, scene.values, scene.positions, kRows);
    for (const std::size_t rows_at_once : {1, 3, 16, 17, 33}) {
      const std::vector<double> apart =
          predict(scene.ensemble, scene.values, scene.positions, rows_at_once);
      for (std::size_t i = 0; i < apart.size(); ++i) expect_same_bits(apart[i], together[i]);
    }
  }
}

// A row alone has a way of its own through the trees.
TEST_P(Predict, a_single_row_has_the_bits_of_a_batch_whatever_the_shape) {
  for (const Activation activation : {Activation::logistic, Activation::smooth_step}) {
    for (const int depth : {1, 2, 5, 8}) {
      for (const std::size_t num_outputs : {1, 2, 4, 7, 13}) {
        const Scene scene(activation, num_outputs, depth);
        const auto together = predict(scene.ensemble, scene.values, scene.positions, kRows);
        const auto alone = predict(scene.ensemble, scene.values, scene.positions, 1);
        for (std::size_t i = 0; i < alone.size(); ++i) expect_same_bits(alone[i], together[i]);
      }
    }
  }
}

TEST_P(Predict, permuting_rows_permutes_predictions_bit_for_bit) {
  for (const Activation activation : {Activation::logistic, Activation::smooth_step}) {
    const Scene scene(activation);
    std::vector<std::uint32_t> order = first_columns(kRows);
    RandomStream(6, "order").shuffle(order);
    const std::vector<double> out = predict(scene.ensemble, scene.values, scene.positions, 64);
    const std::vector<double> moved =
        predict(scene.ensemble, scene.values, reordered(scene.positions, order), 64);
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t row = 0; row < kRows; ++row) {
        expect_same_bits(moved[k * kRows + row], out[k * kRows + order[row]]);
      }
    }
  }
}

TEST_P(Predict, a_range_of_rows_touches_only_that_range) {
  const Scene scene;
  const std::vector<double> all = predict(scene.ensemble, scene.values, scene.positions, kRows);
  std::vector<double> some(3 * kRows, -7);
  Predictor predictor(scene.ensemble, scene.values, 8);
  predictor.predict(scene.positions.view(), 21, 30, MatrixView<double>(some.data(), 3, kRows));
  predictor.predict(scene.positions.view(), 60, 0, MatrixView<double>(some.data(), 3, kRows));
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::size_t i = k * kRows + row;
      ASSERT_EQ(some[i], row >= 21 && row < 51 ? all[i] : -7);
    }
  }
}

TEST_P(Predict, equals_the_reference_on_two_scales) {
  const std::vector<ColumnBasis> columns = columns_on_two_scales();
  EnsembleShape shape{.depth = 3, .num_outputs = 2, .columns = columns};
  shape.bundles = make_bundles(5, 3, {0, 1, 2, 3}, 0, 2);
  shape.bundles.push_back({{2, 4, 5}, 2, 0, 2});
  const Ensemble ensemble(shape);
  const Positions positions = random_positions({columns.begin(), columns.begin() + 4}, kRows, 4);
  const AlignedVector<float> parameters = random_parameters(ensemble, 0.7, 5);
  const std::vector<double> exact(parameters.begin(), parameters.end());
  std::vector<double> truth(2 * kRows);
  reference_forward(ensemble, exact, positions.view(), {truth.data(), 2, kRows});
  const std::vector<double> out =
      predict(ensemble, all_curves(ensemble, parameters), positions, 32);
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(out[i], truth[i], 2e-5);
}

TEST_P(Predict, columns_that_no_tree_reads_are_never_looked_at) {
  const Ensemble ensemble({.depth = 2,
                           .columns = std::vector(3, linear_basis()),
                           .bundles = make_bundles(3, 2, {0, 2}, 0, 1)});
  const AlignedVector<float> values = random_parameters(ensemble, 1, 5);
  Positions positions = random_positions(ensemble.shape().columns, 20, 4);
  const std::vector<double> before = predict(ensemble, values, positions, 8);
  std::fill_n(positions.data.begin() + 20, 20, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(predict(ensemble, values, positions, 8), before);
}

TEST_P(Predict, in_float_is_the_rounded_double) {
  const Scene scene;
  const std::vector<double> wide = predict(scene.ensemble, scene.values, scene.positions, kRows);
  const std::vector<float> narrow =
      predict<float>(scene.ensemble, scene.values, scene.positions, 256);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    ASSERT_EQ(narrow[i], static_cast<float>(wide[i]));
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, Predict, testing::ValuesIn(simd_targets()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace softwood
