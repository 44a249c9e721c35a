#include "tree/kept_knots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace softwood {
namespace {

using testing::ElementsAre;

/// A curve of five edges, one of three levels, a linear column.
EnsembleShape three_columns() {
  EnsembleShape shape;
  shape.columns.resize(3);
  shape.columns[0].num_knots = 6;
  shape.columns[1] = {.kind = ColumnBasis::Kind::levels, .num_knots = 3};
  shape.columns[2] = {.kind = ColumnBasis::Kind::linear};
  shape.bundles = {{.columns = {0, 1, 2}, .num_trees = 1, .num_outputs = 1}};
  return shape;
}

const KnotPlaces kPlaces = {{0, 0.125, 0.25, 0.75, 1}, {}, {}};

std::vector<float> filled_in(const std::vector<std::size_t>& kept_ones) {
  const EnsembleShape shape = three_columns();
  std::vector<float> numbers = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
  KeptKnots kept(numbers.size());
  for (const std::size_t knot : kept_ones) kept.keep(knot);
  fill_in(shape, shape.bundles[0], kPlaces, kept, 0, numbers);
  return numbers;
}

TEST(KeptKnots, what_is_kept_stays) {
  EXPECT_THAT(filled_in({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
              ElementsAre(1, 2, 4, 8, 16, 32, 64, 128, 256, 512));
}

TEST(KeptKnots, between_two_edges_there_is_a_line_by_their_places) {
  EXPECT_THAT(filled_in({0, 4}), ElementsAre(1, 2.875, 4.75, 12.25, 16, 0, 0, 0, 0, 0));
  EXPECT_THAT(filled_in({1, 3, 9}), ElementsAre(2, 2, 3.2F, 8, 8, 0, 0, 0, 0, 512));
}

TEST(KeptKnots, an_edge_alone_is_a_constant_and_none_is_zero) {
  EXPECT_THAT(filled_in({2, 5, 7}), ElementsAre(4, 4, 4, 4, 4, 32, 0, 128, 0, 0));
  EXPECT_THAT(filled_in({}), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

TEST(KeptKnots, edges_at_one_place_are_a_step) {
  const EnsembleShape shape = three_columns();
  std::vector<float> numbers = {1, 2, 4, 8, 16, 0, 0, 0, 0, 0};
  KeptKnots kept(numbers.size());
  for (const std::size_t knot : {0, 1, 3}) kept.keep(knot);
  fill_in(shape, shape.bundles[0], {{0, 0.5, 0.5, 0.5, 1}, {}, {}}, kept, 0, numbers);
  EXPECT_THAT(numbers, ElementsAre(1, 2, 2, 8, 8, 0, 0, 0, 0, 0));
}

TEST(KeptKnots, bits_are_counted_and_strung_together) {
  KeptKnots first(11), second(6);
  first.keep(0), first.keep(10), second.keep(1), second.keep(5);
  first.append(second);
  EXPECT_EQ(first.size(), 17u);
  EXPECT_EQ(first.count(), 4u);
  for (const std::size_t knot : {0, 10, 12, 16}) EXPECT_TRUE(first[knot]) << knot;
  EXPECT_FALSE(first[11]);
  EXPECT_FALSE(KeptKnots(5).keeps_all());
  EXPECT_TRUE(KeptKnots().keeps_all());
}

}  // namespace
}  // namespace softwood
