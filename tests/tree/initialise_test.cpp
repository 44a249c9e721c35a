#include "tree/initialise.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "tree/predict.h"
#include "tree/random_forest.h"

namespace softwood {
namespace {

constexpr InitialLimits kLimits = {.splits = 0.3F, .leaves = 0.005F};

Ensemble ensemble_of(std::vector<std::size_t> bundle_sizes) {
  EnsembleShape shape{.depth = 2, .num_outputs = 3};
  shape.columns = {curve_basis(4, 0), linear_basis(), levels_basis(3), curve_basis(2, 0.2)};
  shape.columns[2].mean = {0.5F, 0, 0.5F};
  for (const std::size_t num_trees : bundle_sizes) {
    shape.bundles.push_back({{0, 1, 2, 3}, num_trees, 0, 3});
  }
  return Ensemble(std::move(shape));
}

AlignedVector<float> initialised(const Ensemble& ensemble, std::uint64_t seed) {
  AlignedVector<float> parameters(ensemble.buffer_size(), 99.0F);
  initialise(ensemble, seed, 0, kLimits, parameters);
  return parameters;
}

std::vector<double> predictions(const Ensemble& ensemble, std::uint64_t seed) {
  const Positions positions = random_positions(ensemble.shape().columns, 50, 3);
  const AlignedVector<float> values = all_curves(ensemble, initialised(ensemble, seed));
  std::vector<double> out(3 * 50);
  Predictor(ensemble, values)
      .predict(positions.view(), 0, 50, MatrixView<double>(out.data(), 3, 50));
  return out;
}

TEST(Initialise, values_stay_within_their_limits_and_fill_them) {
  const Ensemble ensemble = ensemble_of({16, 16});
  const AlignedVector<float> parameters = initialised(ensemble, 1);
  float most_split = 0, most_leaf = 0;
  for (std::size_t bundle = 0; bundle < 2; ++bundle) {
    const BundleLayout& layout = ensemble.layout(bundle);
    for (std::size_t i = layout.weights; i < layout.biases; ++i) {
      most_split = std::max(most_split, std::abs(parameters[i]));
    }
    for (std::size_t i = layout.biases; i < layout.leaves; ++i) EXPECT_EQ(parameters[i], 0.0F);
    for (std::size_t i = layout.leaves; i < layout.end(); ++i) {
      most_leaf = std::max(most_leaf, std::abs(parameters[i]));
    }
  }
  EXPECT_LE(most_split, kLimits.splits);
  EXPECT_GT(most_split, 0.95F * kLimits.splits);
  EXPECT_LE(most_leaf, kLimits.leaves);
  EXPECT_GT(most_leaf, 0.95F * kLimits.leaves);
}

TEST(Initialise, a_tree_starts_the_same_however_trees_are_bundled) {
  const std::vector<double> together = predictions(ensemble_of({7}), 1);
  const std::vector<double> apart = predictions(ensemble_of({1, 4, 2}), 1);
  for (std::size_t i = 0; i < together.size(); ++i) ASSERT_NEAR(together[i], apart[i], 1e-7);
}

TEST(Initialise, another_seed_gives_other_trees) {
  const Ensemble ensemble = ensemble_of({3});
  EXPECT_EQ(initialised(ensemble, 1), initialised(ensemble, 1));
  EXPECT_NE(initialised(ensemble, 1), initialised(ensemble, 2));
}

TEST(Initialise, no_two_parameters_share_a_random_number) {
  const Ensemble ensemble = ensemble_of({5});
  const AlignedVector<float> parameters = initialised(ensemble, 1);
  std::multiset<float> values;
  for (const float value : parameters) {
    if (value != 0) values.insert(value);
  }
  const std::set<float> distinct(values.begin(), values.end());
  EXPECT_GE(distinct.size() + 2, values.size());
}

TEST(Initialise, knots_never_seen_start_at_zero) {
  const Ensemble ensemble = ensemble_of({5});
  const AlignedVector<float> parameters = initialised(ensemble, 1);
  const BundleLayout& layout = ensemble.layout(0);
  const auto at = [&](std::size_t column, std::size_t parameter) {
    return parameters[layout.column_offset[column] + parameter * kLanes];
  };
  EXPECT_EQ(at(0, 5), 0.0F);  // missing, never seen
  EXPECT_EQ(at(2, 1), 0.0F);  // a level never seen
  EXPECT_NE(at(0, 0), 0.0F);  // a slope's mean counts as 0, but it is no knot
  EXPECT_NE(at(0, 1), 0.0F);
  EXPECT_NE(at(2, 0), 0.0F);
  EXPECT_NE(at(3, 3), 0.0F);  // missing, seen
}

}  // namespace
}  // namespace softwood
