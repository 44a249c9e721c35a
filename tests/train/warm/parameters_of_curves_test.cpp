#include "train/warm/parameters_of_curves.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "tree/kernels/curves.h"
#include "tree/random_forest.h"

namespace softwood {
namespace {

Ensemble mixed_ensemble(std::vector<ColumnBasis> columns) {
  EnsembleShape shape{.depth = 2, .columns = std::move(columns)};
  std::vector<std::uint32_t> all;
  for (std::uint32_t column = 0; column < shape.columns.size(); ++column) all.push_back(column);
  shape.bundles = {{.columns = all, .num_trees = 5, .num_outputs = 1},
                   {.columns = {0, 2}, .num_trees = 3, .num_outputs = 1}};
  return Ensemble(std::move(shape));
}

AlignedVector<float> curves_of(const Ensemble& ensemble, const AlignedVector<float>& parameters) {
  AlignedVector<float> values = parameters;
  for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle)
    curves_from_parameters(ensemble, bundle, parameters, values);
  return values;
}

AlignedVector<float> random_parameters(const Ensemble& ensemble) {
  AlignedVector<float> parameters = ensemble.make_buffer();
  const RandomStream random(7, "curves");
  for (std::size_t i = 0; i < parameters.size(); ++i)
    parameters[i] = static_cast<float>(2 * random.uniform(i) - 1);
  return parameters;
}

/// Means over rows of another table: all features less full than they were.
std::vector<ColumnBasis> centred_elsewhere(std::vector<ColumnBasis> columns) {
  for (ColumnBasis& column : columns) {
    for (float& mean : column.mean) mean *= 0.6F;
  }
  return columns;
}

TEST(ParametersOfCurves, give_back_the_curves_on_the_same_rows) {
  const Ensemble ensemble = mixed_ensemble(mixed_columns(5));
  const AlignedVector<float> values = curves_of(ensemble, random_parameters(ensemble));
  AlignedVector<float> parameters = ensemble.make_buffer();
  parameters_of_curves(ensemble, values, parameters);
  const AlignedVector<float> again = curves_of(ensemble, parameters);
  for (std::size_t bundle = 0; bundle < 2; ++bundle) {
    const BundleLayout& layout = ensemble.layout(bundle);
    for (std::size_t i = layout.begin(); i < layout.biases; ++i) {
      const std::size_t node =
          (i - layout.weights) / layout.block_stride * kLanes + (i - layout.weights) % kLanes;
      if (node >= layout.num_nodes) continue;  // padding
      ASSERT_NEAR(again[i], values[i], 2e-5) << i;
    }
    for (std::size_t i = layout.leaves; i < layout.end(); ++i) EXPECT_EQ(again[i], values[i]);
  }
}

/// What centring moves in the curves of a node goes to its bias.
TEST(ParametersOfCurves, centred_on_other_rows_every_split_scores_as_it_did) {
  const Ensemble old = mixed_ensemble(mixed_columns(5));
  const Ensemble ensemble = mixed_ensemble(centred_elsewhere(mixed_columns(5)));
  const AlignedVector<float> values = curves_of(old, random_parameters(old));
  AlignedVector<float> parameters = ensemble.make_buffer();
  parameters_of_curves(ensemble, values, parameters);
  const AlignedVector<float> again = curves_of(ensemble, parameters);
  double moved = 0;
  for (std::size_t bundle = 0; bundle < 2; ++bundle) {
    const BundleLayout& layout = ensemble.layout(bundle);
    for (std::size_t node = 0; node < layout.num_nodes; ++node) {
      const std::size_t lane = node % kLanes;
      const std::size_t first = layout.weights + node / kLanes * layout.block_stride + lane;
      for (const std::size_t knot : {0u, 1u, 2u}) {
        double before = values[layout.biases + node], after = again[layout.biases + node];
        for (const ColumnPlace& place : layout.knot_columns) {
          const std::size_t at =
              first + place.offset + std::min<std::size_t>(knot, place.num_knots - 1) * kLanes;
          before += values[at];
          after += again[at];
        }
        EXPECT_NEAR(after, before, 1e-4);
      }
      moved += std::abs(again[layout.biases + node] - values[layout.biases + node]);
    }
  }
  EXPECT_GT(moved, 0.1) << "a test of nothing";
}

}  // namespace
}  // namespace softwood
