#include "data/encoder/curve_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace softwood {
namespace {

using testing::ElementsAre;
constexpr double kLargest = std::numeric_limits<double>::max();

TEST(CurveScale, few_distinct_values_are_all_edges) {
  EXPECT_THAT(equal_frequency_edges({3, 1, 2, 1, 1}, 2), ElementsAre(1, 2, 3));
  EXPECT_THAT(equal_frequency_edges({5, 1}, 16), ElementsAre(1, 5));
}

TEST(CurveScale, many_values_are_cut_at_their_quantiles) {
  std::vector<double> values;
  for (int value = 100; value >= 0; --value) values.push_back(value);
  EXPECT_THAT(equal_frequency_edges(values, 4), ElementsAre(0, 25, 50, 75, 100));
  EXPECT_THAT(equal_frequency_edges({0, 1, 2, 3}, 2), ElementsAre(0, 1.5, 3));
}

TEST(CurveScale, a_value_that_fills_many_bins_leaves_them_to_the_others) {
  std::vector<double> values(90, 0.0);
  for (int value = 1; value <= 10; ++value) values.push_back(value);
  const std::vector<double> edges = equal_frequency_edges(values, 4);
  ASSERT_EQ(edges.size(), 5u);
  EXPECT_EQ(edges.front(), 0);
  EXPECT_EQ(edges.back(), 10);
  for (std::size_t bin = 1; bin + 1 < edges.size(); ++bin) {
    EXPECT_GT(edges[bin + 1] - edges[bin], 1);  // the ten others are spread over the bins
  }
}

TEST(CurveScale, a_single_value_gets_a_second_edge_beside_it) {
  EXPECT_THAT(equal_frequency_edges({2, 2}, 4), ElementsAre(2, 4));
  EXPECT_THAT(equal_frequency_edges({-0.5}, 4), ElementsAre(-0.5, 0.5));
  for (const double huge : {kLargest, -kLargest, 1e17}) {
    const std::vector<double> edges = equal_frequency_edges({huge}, 4);
    EXPECT_LT(edges[0], edges[1]);
    EXPECT_TRUE(edges[0] == huge || edges[1] == huge);
    EXPECT_TRUE(std::isfinite(edges[1] - edges[0]));
  }
}

TEST(CurveScale, positions_are_bin_plus_fraction_and_stay_on_the_scale) {
  const std::vector<double> edges = {0, 1, 3, 7};
  EXPECT_EQ(curve_position(edges, 0), 0.0f);
  EXPECT_EQ(curve_position(edges, 0.25), 0.25f);
  EXPECT_EQ(curve_position(edges, 2), 1.5f);
  EXPECT_EQ(curve_position(edges, 3), 2.0f);
  EXPECT_EQ(curve_position(edges, 6), 2.75f);
  EXPECT_EQ(curve_position(edges, 7), 3.0f);
  EXPECT_EQ(curve_position(edges, 1e300), 3.0f);
  EXPECT_EQ(curve_position(edges, -1e300), 0.0f);
  EXPECT_EQ(curve_position(edges, std::nan("")), 4.0f);
}

TEST(CurveScale, bins_wider_than_the_largest_number_still_work) {
  const std::vector<double> edges = {-kLargest, kLargest};
  EXPECT_EQ(curve_position(edges, 0), 0.5f);
  EXPECT_EQ(curve_position(edges, kLargest / 2), 0.75f);
}

rc::Gen<double> values() {
  return rc::gen::oneOf(
      rc::gen::map(rc::gen::inRange(-20, 20), [](int n) { return n / 4.0; }),
      rc::gen::suchThat(rc::gen::arbitrary<double>(), [](double x) { return std::isfinite(x); }));
}

RC_GTEST_PROP(CurveScale, edges_ascend_over_the_whole_range, ()) {
  const auto data = *rc::gen::nonEmpty(rc::gen::container<std::vector<double>>(values()));
  const int bins = *rc::gen::inRange(1, 20);
  const std::vector<double> edges = equal_frequency_edges(data, bins);
  RC_ASSERT(edges.size() >= 2u);
  RC_ASSERT(edges.size() <= static_cast<std::size_t>(bins) + 1);
  RC_ASSERT(std::adjacent_find(edges.begin(), edges.end(), std::greater_equal<>()) == edges.end());
  if (std::set<double>(data.begin(), data.end()).size() > 1) {
    RC_ASSERT(edges.front() == *std::min_element(data.begin(), data.end()));
    RC_ASSERT(edges.back() == *std::max_element(data.begin(), data.end()));
  }
}

RC_GTEST_PROP(CurveScale, positions_rise_with_values_and_hit_the_edges, ()) {
  const auto data = *rc::gen::nonEmpty(rc::gen::container<std::vector<double>>(values()));
  const std::vector<double> edges = equal_frequency_edges(data, *rc::gen::inRange(1, 20));
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    RC_ASSERT(curve_position(edges, edges[edge]) == static_cast<float>(edge));
  }
  const double a = *values(), b = *values();
  RC_ASSERT(curve_position(edges, std::min(a, b)) <= curve_position(edges, std::max(a, b)));
}

}  // namespace
}  // namespace softwood
