#include "train/start/column_bases.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "train/all_rows.h"

namespace softwood {
namespace {

using testing::ElementsAre;

EncodedColumn curve_with_edges(std::vector<double> edges) {
  EncodedColumn column;
  column.edges = std::move(edges);
  return column;
}

TEST(ColumnBases, a_curves_means_are_those_of_its_bins) {
  // Two bins; rows at 0.5, 1.25, 2 and missing (3).
  const std::vector<float> positions = {0.5F, 1.25F, 2.0F, 3.0F};
  const ColumnBasis basis = column_basis(curve_with_edges({0, 1, 2}), false, positions);
  ASSERT_EQ(basis.mean.size(), 4u);
  EXPECT_FLOAT_EQ(basis.mean[0], 0);
  EXPECT_FLOAT_EQ(basis.mean[1], (0.5F + 1 + 1) / 3);
  EXPECT_FLOAT_EQ(basis.mean[2], (0 + 0.25F + 1) / 3);
  EXPECT_FLOAT_EQ(basis.mean[3], 0.25F);
}

TEST(ColumnBases, a_coarse_curve_is_the_curve_of_the_coarse_edges) {
  EncodedColumn both = curve_with_edges({0, 1, 2, 4, 8});
  both.coarse = {0, 2, 4};
  EncodedColumn coarse = curve_with_edges({0, 2, 8});
  for (EncodedColumn* column : {&both, &coarse}) {
    column->mean = 3;
    column->sd = 2;
  }
  // The values 0.5, 2, 3, 8 and missing, on both scales.
  const ColumnBasis basis = column_basis(both, true, std::vector<float>{0.5F, 2, 2.5F, 4, 5});
  const ColumnBasis truth =
      column_basis(coarse, false, std::vector<float>{0.25F, 1, 1 + 1 / 6.0F, 2, 3});
  EXPECT_EQ(basis.num_knots, truth.num_knots);
  EXPECT_EQ(basis.slope, truth.slope);
  ASSERT_EQ(basis.mean.size(), truth.mean.size());
  for (std::size_t i = 0; i < truth.mean.size(); ++i) EXPECT_FLOAT_EQ(basis.mean[i], truth.mean[i]);
  EXPECT_TRUE(truth.scale.empty());
  EXPECT_THAT(basis.scale, ElementsAre(0, 0.5F, 1, 1 + 1 / 3.0F, 2, 3));
}

TEST(ColumnBases, levels_are_centred_by_their_shares) {
  EncodedColumn column;
  column.kind = EncodedColumn::Kind::levels;
  column.levels = {"a", "b"};
  const ColumnBasis basis = column_basis(column, false, std::vector<float>{0, 1, 1, 3});
  EXPECT_EQ(basis.mean, (std::vector<float>{0.25F, 0.5F, 0, 0.25F}));
}

TEST(ColumnBases, every_scale_of_the_encoder_knows_its_source) {
  std::vector<Column> columns(2);
  columns[0].name = "a";
  columns[1].name = "b";
  for (int row = 0; row < 40; ++row) {
    columns[0].values.push_back(row % 2);  // two values: one scale
    columns[1].values.push_back(row);
  }
  const Table table(columns);
  const std::vector<std::uint32_t> rows = all_rows(40);
  const Encoder encoder =
      Encoder::fit(table, rows, {.features = {"a", "b"}, .bins = 4, .fine_bins = 16});
  const Rows encoded = encoder.encode(table, 1);
  const std::vector<ColumnBasis> bases = column_bases(encoder, {encoded.view(), rows});
  ASSERT_EQ(bases.size(), 3u);
  EXPECT_EQ(bases[0].source, 0u);
  EXPECT_EQ(bases[1].source, 1u);
  EXPECT_EQ(bases[2].source, 1u);
  EXPECT_EQ(bases[1].num_knots, 6u);
  EXPECT_FALSE(bases[1].scale.empty());
  EXPECT_EQ(bases[2].num_knots, encoder.columns()[1].edges.size() + 1);
  EXPECT_TRUE(bases[2].scale.empty());
}

}  // namespace
}  // namespace softwood
