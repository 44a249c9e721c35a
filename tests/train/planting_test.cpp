#include "train/planting.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tree/reference.h"

namespace softwood {
namespace {

EncodedColumn curve_with_edges(std::vector<double> edges) {
  EncodedColumn column;
  column.kind = EncodedColumn::Kind::curve;
  column.edges = std::move(edges);
  return column;
}

TEST(Planting, a_curves_means_are_those_of_its_bins) {
  // Two bins; rows at 0.5, 1.25, 2 and missing (3).
  const std::vector<float> positions = {0.5F, 1.25F, 2.0F, 3.0F};
  const ColumnBasis basis = column_basis(curve_with_edges({0, 1, 2}), positions);
  ASSERT_EQ(basis.mean.size(), 4u);
  EXPECT_FLOAT_EQ(basis.mean[0], 0);
  EXPECT_FLOAT_EQ(basis.mean[1], (0.5F + 1 + 1) / 3);
  EXPECT_FLOAT_EQ(basis.mean[2], (0 + 0.25F + 1) / 3);
  EXPECT_FLOAT_EQ(basis.mean[3], 0.25F);
}

TEST(Planting, levels_are_centred_by_their_shares) {
  EncodedColumn column;
  column.kind = EncodedColumn::Kind::levels;
  column.levels = {"a", "b"};
  const std::vector<float> positions = {0, 1, 1, 3};
  const ColumnBasis basis = column_basis(column, positions);
  EXPECT_EQ(basis.mean, (std::vector<float>{0.25F, 0.5F, 0, 0.25F}));
}

TEST(Planting, splits_score_zero_on_average_over_the_training_rows) {
  const std::vector<float> positions = {0.5F, 1.25F, 2.0F, 3.0F, 0.0F, 1.75F};
  EncodedColumn column = curve_with_edges({0, 1, 2});
  column.mean = (0.5 + 1.25 + 2 + 0 + 1.75) / 5;
  Settings settings;
  settings.num_trees = 1;
  settings.depth = 1;
  Ensemble ensemble(plan_ensemble(settings, {column_basis(column, positions)}, 1));
  AlignedVector<float> parameters = initial_parameters(ensemble, 3);
  // Leaves ±c make the output odd in z; with tiny weights it is linear in z, so its mean is z's
  // mean.
  const BundleLayout& layout = ensemble.layout(0);
  for (std::size_t at = 0; at < layout.weights_size; ++at) parameters[layout.weights + at] *= 1e-3F;
  parameters[layout.leaves] = 1;
  parameters[layout.leaves + 1] = -1;
  const std::vector<double> exact(parameters.begin(), parameters.end());
  std::vector<double> out(positions.size());
  reference_forward(ensemble, exact, {positions.data(), 1, positions.size()},
                    {out.data(), 1, out.size()});
  double mean = 0;
  double size = 0;
  for (const double value : out) {
    mean += value / static_cast<double>(out.size());
    size += std::abs(value) / static_cast<double>(out.size());
  }
  EXPECT_GT(size, 1e-5);
  EXPECT_LT(std::abs(mean), 1e-4 * size + 1e-9);
}

TEST(Planting, narrow_trees_see_the_columns_they_were_given) {
  Settings settings;
  settings.num_trees = 7;
  settings.depth = 3;
  settings.columns_per_tree = 2;
  std::vector<ColumnBasis> columns(5, {.kind = ColumnBasis::Kind::linear, .mean = {0}});
  const EnsembleShape shape = plan_ensemble(settings, columns, 1);
  EXPECT_EQ(shape.num_trees(), 7u);
  bool different = false;
  for (const Bundle& bundle : shape.bundles) {
    EXPECT_EQ(bundle.columns.size(), 2u);
    EXPECT_LT(bundle.columns[0], bundle.columns[1]);
    different |= bundle.columns != shape.bundles[0].columns;
  }
  EXPECT_TRUE(different);
}

}  // namespace
}  // namespace softwood
