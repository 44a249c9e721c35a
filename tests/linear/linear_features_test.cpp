#include "linear/linear_features.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/encoder/curve_scale.h"

namespace softwood {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

EncodedColumn curve(std::vector<double> edges, double mean, double sd) {
  EncodedColumn column;
  column.kind = EncodedColumn::Kind::curve;
  column.edges = std::move(edges);
  column.mean = mean;
  column.sd = sd;
  return column;
}

EncodedColumn levels(std::vector<std::string> known) {
  EncodedColumn column;
  column.kind = EncodedColumn::Kind::levels;
  column.levels = std::move(known);
  return column;
}

TEST(LinearFeatures, a_number_comes_back_from_its_position_and_is_standardised) {
  const EncodedColumn column = curve({-1, 0, 10, 1000}, 3, 2);
  const LinearFeatures features(std::vector{column});
  for (const double x : {-1.0, -0.25, 0.0, 2.5, 10.0, 505.0, 1000.0}) {
    const auto place = features.place(0, curve_position(column.edges, x));
    EXPECT_EQ(place.feature, 0);
    EXPECT_NEAR(place.value, (x - 3) / 2, 1e-4);
  }
}

TEST(LinearFeatures, values_beyond_the_training_range_count_as_its_ends) {
  const EncodedColumn column = curve({-1, 4}, 0, 1);
  const LinearFeatures features(std::vector{column});
  EXPECT_EQ(features.place(0, curve_position(column.edges, 100)).value, 4);
  EXPECT_EQ(features.place(0, curve_position(column.edges, -100)).value, -1);
}

TEST(LinearFeatures, missing_is_a_feature_of_its_own) {
  const EncodedColumn column = curve({-1, 4}, 0, 1);
  const LinearFeatures features(std::vector{column});
  for (const double position : {double{curve_position(column.edges, kMissing)}, kMissing}) {
    const auto place = features.place(0, position);
    EXPECT_EQ(place.feature, 1);
    EXPECT_EQ(place.value, 1);
    EXPECT_EQ(place.slope, 0);
  }
}

TEST(LinearFeatures, every_level_and_other_and_missing_have_an_indicator) {
  const LinearFeatures features(std::vector{curve({0, 1}, 0, 1), levels({"a", "b"})});
  ASSERT_EQ(features.size(), 2 + 4);
  EXPECT_EQ(features.of_column(1).begin, 2);
  EXPECT_EQ(features.of_column(1).end, 6);
  for (std::size_t level = 0; level < 4; ++level) {
    const auto place = features.place(1, static_cast<double>(level));
    EXPECT_EQ(place.feature, 2 + level);
    EXPECT_EQ(place.value, 1);
    EXPECT_EQ(place.slope, 0);
  }
}

TEST(LinearFeatures, a_linear_column_is_its_own_position) {
  EncodedColumn column;
  column.kind = EncodedColumn::Kind::linear;
  const LinearFeatures features(std::vector{column});
  EXPECT_EQ(features.size(), 1);
  EXPECT_EQ(features.place(0, -2.5).value, -2.5);
  EXPECT_EQ(features.place(0, -2.5).slope, 1);
}

RC_GTEST_PROP(LinearFeatures, the_slope_is_that_of_the_value, ()) {
  const auto bins = *rc::gen::inRange(1, 20);
  std::vector<double> edges{0};
  for (int bin = 0; bin < bins; ++bin) edges.push_back(edges.back() + *rc::gen::inRange(1, 100));
  const LinearFeatures features(std::vector{curve(edges, 5, 3)});
  const double position = *rc::gen::inRange(0, bins * 64) / 64.0 + 1.0 / 128;
  const double step = 1.0 / 1024;
  const auto place = features.place(0, position);
  const double difference = features.place(0, position + step).value - place.value;
  RC_ASSERT(std::abs(difference / step - place.slope) < 1e-9 * edges.back());
}

}  // namespace
}  // namespace softwood
