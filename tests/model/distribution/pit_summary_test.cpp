#include "model/distribution/pit_summary.h"

#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace softwood {
namespace {

TEST(PitSummary, a_row_is_spread_evenly_over_its_interval) {
  const std::vector<double> shares = pit_histogram({.low = {0.05}, .high = {0.25}});
  EXPECT_NEAR(shares[0], 0.25, 1e-12);
  EXPECT_NEAR(shares[1], 0.5, 1e-12);
  EXPECT_NEAR(shares[2], 0.25, 1e-12);
  EXPECT_NEAR(shares[3], 0, 1e-12);
}

TEST(PitSummary, points_fall_into_one_tenth_and_ends_belong_to_the_outer_ones) {
  const std::vector<double> at = {0, 0.1, 0.55, 1};
  EXPECT_THAT(pit_histogram({.low = at, .high = at}),
              testing::ElementsAre(0.25, 0.25, 0, 0, 0, 0.25, 0, 0, 0, 0.25));
}

RC_GTEST_PROP(PitSummary, shares_sum_to_one, ()) {
  const auto ends = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 1001), rc::gen::inRange(0, 1001))));
  PitIntervals pit;
  for (const auto& [a, b] : ends) {
    pit.low.push_back(std::min(a, b) / 1000.0);
    pit.high.push_back(std::max(a, b) / 1000.0);
  }
  const std::vector<double> shares = pit_histogram(pit);
  RC_ASSERT(std::abs(std::accumulate(shares.begin(), shares.end(), 0.0) - 1) < 1e-9);
}

TEST(PitSummary, rows_without_an_interval_take_no_part) {
  const double none = std::nan("");
  const PitIntervals pit{.low = {none, 0.5}, .high = {none, 0.5}};
  EXPECT_EQ(pit_histogram(pit)[5], 1);
  EXPECT_EQ(coverage(pit, {}, 0.5), 1);
}

TEST(PitSummary, coverage_counts_the_ends_of_the_interval) {
  // y at, just below and just above the quantiles 0.25 and 0.75 of a count.
  const PitIntervals pit{.low = {0.1, 0.1, 0.74, 0.75}, .high = {0.25, 0.24, 0.9, 0.9}};
  EXPECT_EQ(coverage(pit, {}, 0.5), 0.5);
}

TEST(PitSummary, a_censored_row_counts_with_what_it_may_be) {
  const PitIntervals pit{.low = {0.5, 0.0}, .high = {1, 1}};
  EXPECT_NEAR(coverage(pit, {true, true}, 0.5), (0.25 / 0.5 + 0.5) / 2, 1e-12);
  EXPECT_EQ(coverage(pit, {false, false}, 0.5), 1);
}

}  // namespace
}  // namespace softwood
