#include "model/distribution/distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/distribution/distribution_world.h"

namespace softwood {
namespace {

constexpr double kTiny = std::numeric_limits<double>::denorm_min();

double quantile(const std::string& text, const std::vector<double>& raw, double p) {
  return one_row(text, raw).distribution().quantile(p)[0];
}
double crps(const std::string& text, const std::vector<double>& raw, double y,
            bool censored = false) {
  const std::vector<double> response = {y};
  return one_row(text, raw).distribution().crps(response, {censored})[0];
}
double phi(double z) {
  return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
}
double normal_cdf(double z) {
  return std::erfc(-z / std::numbers::sqrt2) / 2;
}

void expect_near_relative(double actual, double expected, double tolerance) {
  EXPECT_NEAR(actual, expected, tolerance * std::abs(expected));
}

TEST(Distribution, normal_quantiles_are_the_known_ones) {
  expect_near_relative(quantile(kNormal, {0, 0}, 0.975), 1.959963984540054, 1e-12);
  expect_near_relative(quantile(kNormal, {5, std::log(2.0)}, 0.05), 5 - 2 * 1.6448536269514722,
                       1e-12);
  expect_near_relative(quantile(kNormal, {0, 0}, 1e-9), -5.997807015007686, 1e-12);
  EXPECT_NEAR(quantile(kNormal, {0, 0}, 0.5), 0, 1e-15);
}

TEST(Distribution, quantiles_hold_over_three_hundred_orders_of_magnitude) {
  for (const double log_mean : {-600.0, -30.0, 0.0, 1.0, 30.0, 600.0}) {
    for (const double p : {1e-12, 0.01, 0.5, 0.9, 0.999999}) {
      expect_near_relative(quantile(kExponential, {log_mean}, p),
                           std::exp(log_mean) * -std::log1p(-p), 1e-9);
    }
  }
  for (const double shape : {0.05, 0.5, 1.0, 20.0}) {
    for (const double p : {1e-6, 0.3, 0.5, 0.8}) {
      expect_near_relative(quantile(kLogLogistic, {std::log(shape)}, p),
                           std::pow(p / (1 - p), 1 / shape), 1e-8);
    }
  }
}

TEST(Distribution, an_atom_is_hit_exactly) {
  for (const double p : {0.001, 0.2, 0.4999}) EXPECT_EQ(quantile(kAtomAtZero, {0}, p), 0.0);
  expect_near_relative(quantile(kAtomAtZero, {0}, 0.75), std::log(2.0), 1e-12);
  EXPECT_EQ(quantile(kCensoredNormal, {3}, 0.1), 2.0);
  EXPECT_EQ(quantile(kCensoredNormal, {3}, 0.99), 5.0);
  expect_near_relative(quantile(kCensoredNormal, {3}, 0.5), 3.0, 1e-12);
}

TEST(Distribution, bounded_supports_are_kept) {
  for (const double p : {1e-9, 0.25, 0.5, 1 - 1e-9})
    expect_near_relative(quantile(kUniform, {0}, p), p, 1e-12);
}

TEST(Distribution, hopeless_searches_end_with_nan) {
  EXPECT_TRUE(std::isnan(quantile(kNormal, {std::nan(""), 0}, 0.5)));
  for (const double p : {0.0, 1.0, -1.0, 2.0, std::nan("")})
    EXPECT_TRUE(std::isnan(quantile(kNormal, {0, 0}, p)));
  const std::string half = "outputs f\nloss = f*y\nm = f\ncdf(q) = if(q < 0, 0, 0.5)";
  EXPECT_TRUE(std::isnan(quantile(half, {0}, 0.7)));
  EXPECT_EQ(quantile(half, {0}, 0.3), 0.0);
  EXPECT_TRUE(std::isnan(crps(half, {0}, 1)));
}

TEST(Distribution, left_limits_see_atoms) {
  const std::vector<double> zero = {0}, three = {3}, between = {2.5};
  EXPECT_EQ(one_row(kAtomAtZero, {0}).distribution().below(zero)[0], 0.0);
  EXPECT_EQ(one_row(kAtomAtZero, {0}).distribution().cdf(zero)[0], 0.5);
  const double f = std::log(2.0);  // sigmoid = 2/3
  EXPECT_NEAR(one_row(kGeometric, {f}).distribution().below(three)[0], 1 - 8.0 / 27, 1e-15);
  EXPECT_NEAR(one_row(kGeometric, {f}).distribution().below(between)[0], 1 - 8.0 / 27, 1e-15);
  EXPECT_NEAR(one_row(kGeometric, {f}).distribution().above(2)[0], 8.0 / 27, 1e-15);
}

RC_GTEST_PROP(Distribution, a_quantile_of_a_continuous_cdf_inverts_it, ()) {
  const double mu = *rc::gen::inRange(-1000, 1000) / 10.0;
  const double log_sigma = *rc::gen::inRange(-50, 50) / 10.0;
  const double z = *rc::gen::inRange(-500, 500) / 100.0;
  const double q = mu + std::exp(log_sigma) * z;
  DistributionWorld world = one_row(kNormal, {mu, log_sigma});
  const double p = world.distribution().cdf(std::vector{q})[0];
  // Where the cdf is flat, its last bit is worth more than q's.
  const double slack = 1e-12 * std::abs(q) + 4e-16 * p / phi(z) * std::exp(log_sigma);
  RC_ASSERT(std::abs(world.distribution().quantile(p)[0] - q) <= slack + 1e-15 * std::abs(mu));
}

RC_GTEST_PROP(Distribution, a_discrete_quantile_is_the_first_that_reaches_p, ()) {
  const double f = *rc::gen::inRange(-50, 90) / 10.0;
  const double p = (*rc::gen::inRange(0, 1 << 20) + 0.5) / (1 << 20);
  DistributionWorld world = one_row(kGeometric, {f});
  double brute = 0;
  while (world.distribution().cdf(std::vector{brute})[0] < p) {
    // Leaps of a power of two, as long as they fall short.
    double leap = 1;
    while (world.distribution().cdf(std::vector{brute + 2 * leap})[0] < p) leap *= 2;
    brute += leap;
  }
  RC_ASSERT(world.distribution().quantile(p)[0] == brute);
}

TEST(Distribution, members_are_mixed_by_their_cdfs) {
  DistributionWorld world(kNormal, {{{-3}, {0}}, {{3}, {0}}});
  const Distribution mixture = world.distribution();
  EXPECT_NEAR(mixture.cdf(std::vector{-3.0})[0], (0.5 + normal_cdf(-6)) / 2, 1e-15);
  EXPECT_NEAR(mixture.quantile(0.75)[0], 3, 1e-8);  // not the mean of the quantiles, 0.67
  EXPECT_DOUBLE_EQ(mixture.moments().mean[0], 0);
  EXPECT_DOUBLE_EQ(mixture.moments().variance[0], 1 + 9);
}

TEST(Distribution, moments_come_from_the_cdf_where_the_loss_states_none) {
  const Moments exponential = one_row(kExponential, {1}).distribution().moments();
  expect_near_relative(exponential.mean[0], std::numbers::e, 1e-8);
  expect_near_relative(exponential.variance[0], std::exp(2.0), 1e-8);
  const Moments counts = one_row(kGeometric, {0.5}).distribution().moments();
  expect_near_relative(counts.mean[0], std::exp(0.5), 1e-12);
  expect_near_relative(counts.variance[0], std::exp(0.5) + std::exp(1.0), 1e-9);
  const Moments many = one_row(kGeometric, {9}).distribution().moments();
  expect_near_relative(many.variance[0], std::exp(9.0) + std::exp(18.0), 1e-6);
  const Moments atom = one_row(kAtomAtZero, {0}).distribution().moments();
  expect_near_relative(atom.mean[0], 0.5, 1e-8);
  expect_near_relative(atom.variance[0], 0.75, 1e-8);
}

TEST(Distribution, crps_of_a_normal_is_the_closed_form) {
  for (const double mu : {-1e4, 0.0, 3.0}) {
    for (const double sigma : {1e-3, 1.0, 1e3}) {
      for (const double z : {-20.0, -1.0, 0.0, 0.3, 8.0}) {
        const double known =
            sigma * (z * (2 * normal_cdf(z) - 1) + 2 * phi(z) - 1 / std::sqrt(std::numbers::pi));
        expect_near_relative(crps(kNormal, {mu, std::log(sigma)}, mu + sigma * z), known, 1e-6);
      }
    }
  }
}

TEST(Distribution, crps_of_other_continuous_responses_is_the_closed_form) {
  for (const double y : {0.0, 0.1, 1.0, 5.0, 50.0})  // Jordan et al. 2019: exponential
    expect_near_relative(crps(kExponential, {0}, y), y - 2 * (1 - std::exp(-y)) + 0.5, 1e-6);
  // With an atom of 1/2 at zero: E|Y - y| - E|Y - Y'|/2.
  for (const double y : {0.0, 0.7, 4.0}) {
    const double apart = y / 2 + (y - 1 + 2 * std::exp(-y)) / 2;
    expect_near_relative(crps(kAtomAtZero, {0}, y), apart - (0.5 + 0.25) / 2, 1e-6);
  }
  for (const double y : {0.0, 0.2, 1.0})
    expect_near_relative(crps(kUniform, {0}, y), (y * y * y + std::pow(1 - y, 3)) / 3, 1e-6);
}

TEST(Distribution, an_atom_amid_a_continuous_response_hardly_hurts_crps) {
  const std::string text =
      "outputs f\nloss = f*y\nmean = f\ncdf(q) = normal_cdf(q - f)/2 + if(q >= 0.7, 0.5, 0)";
  EXPECT_EQ(quantile(text, {0}, 0.5), 0.7);
  for (const double y : {-1.0, 0.7, 2.0}) {
    double sum = 0;  // midpoints, with 0.7 and y at ends of cells
    const double width = 1e-4;
    for (int cell = -80000; cell < 80000; ++cell) {
      const double z = (cell + 0.5) * width;
      const double cdf = normal_cdf(z) / 2 + (z > 0.7 ? 0.5 : 0);
      sum += width * (z < y ? cdf * cdf : (1 - cdf) * (1 - cdf));
    }
    expect_near_relative(crps(text, {0}, y), sum, 1e-5);
  }
}

TEST(Distribution, crps_of_a_heavy_tail_is_close) {
  // ∫ (1 - F)² over q > 0 at y = 0 with F = q/(1 + q) is ∫ (1 + q)^-2 = 1.
  expect_near_relative(crps(kLogLogistic, {0}, 0), 1, 1e-6);
  expect_near_relative(crps(kLogLogistic, {std::log(2.0)}, 0), std::numbers::pi / 4, 1e-6);
}

double geometric_crps(double f, double y) {
  const double share = 1 / (1 + std::exp(-f));
  double sum = 0;
  double tail = share;  // P(Y > k)
  for (double k = 0; tail > 1e-13 || k < y; ++k, tail *= share)
    sum += k < y ? (1 - tail) * (1 - tail) : tail * tail;
  return sum;
}

TEST(Distribution, crps_of_counts_is_the_sum_over_them) {
  for (const double f : {-3.0, 0.0, 2.0, 5.0, 7.0, 10.0}) {
    for (const double y : {0.0, 1.0, 7.0, 300.0, 50000.0}) {
      expect_near_relative(crps(kGeometric, {f}, y), geometric_crps(f, y), 2e-5);
    }
  }
  expect_near_relative(crps(kGeometric, {2.0}, 7), geometric_crps(2, 7), 1e-12);
}

TEST(Distribution, crps_of_counts_beyond_whole_doubles_ends) {
  // All of it lies within three steps of 2^54, where neighbours are 4 apart.
  const std::string text =
      "outputs f\nloss = (y - f)^2\nmean = f\n"
      "cdf(q) = if(floor(q) < 18014398509481988, 0, if(floor(q) < 18014398509481996, 0.5, 1))";
  const std::vector<double> y = {18014398509481992.0};
  const double score = one_row(text, {18014398509481988.0}).distribution().crps(y, {})[0];
  EXPECT_GE(score, 0);
  EXPECT_LE(score, 16);
}

TEST(Distribution, censored_rows_are_scored_up_to_what_is_known) {
  // ∫_0^y (1 - e^-z)² dz.
  const double y = 1.5;
  const double known = y - 2 * (1 - std::exp(-y)) + (1 - std::exp(-2 * y)) / 2;
  expect_near_relative(crps(kExponential, {0}, y, /*censored=*/true), known, 1e-6);
  const PitIntervals pit =
      one_row(kExponential, {0}).distribution().pit(std::vector{y}, std::vector{true});
  EXPECT_DOUBLE_EQ(pit.low[0], 1 - std::exp(-y));
  EXPECT_EQ(pit.high[0], 1.0);
}

TEST(Distribution, a_censored_count_may_be_anything_above_it) {
  DistributionWorld world = one_row(kGeometric, {0.5});
  const std::vector<double> y = {2.0};
  const PitIntervals seen = world.distribution().pit(y, {false});
  const PitIntervals bound = world.distribution().pit(y, {true});
  EXPECT_LT(seen.low[0], seen.high[0]);
  EXPECT_EQ(bound.low[0], seen.high[0]);
  EXPECT_EQ(bound.high[0], 1);
}

TEST(Distribution, missing_responses_have_no_score) {
  const std::vector<double> missing = {std::nan("")};
  DistributionWorld world = one_row(kNormal, {0, 0});
  EXPECT_TRUE(std::isnan(world.distribution().crps(missing, {})[0]));
  EXPECT_TRUE(std::isnan(world.distribution().pit(missing, {}).low[0]));
  EXPECT_TRUE(std::isnan(world.distribution().pit(missing, {}).high[0]));
}

std::vector<double> spaced(std::size_t count, double from, double to) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = from + (to - from) * static_cast<double>(i) / static_cast<double>(count);
  return values;
}

TEST(Distribution, threads_and_other_rows_change_no_bit) {
  const std::vector<double> all = spaced(1000, -3, 4), few(all.begin(), all.begin() + 3);
  DistributionWorld alone(kGeometric, {{all}}, 1), together(kGeometric, {{all}}, 4),
      start(kGeometric, {{few}}, 1);
  const auto figures = [](DistributionWorld& world) {
    const Distribution own = world.distribution();
    const std::vector<double> y(own.num_rows(), 3.0);
    return std::vector{own.quantile(0.3), own.sample(7, "y", 2), own.crps(y, {}),
                       own.moments().variance};
  };
  const auto expected = figures(alone), actual = figures(together), some = figures(start);
  for (std::size_t figure = 0; figure < expected.size(); ++figure) {
    EXPECT_EQ(expected[figure], actual[figure]);
    EXPECT_TRUE(std::equal(some[figure].begin(), some[figure].end(), expected[figure].begin()));
  }
}

TEST(Distribution, samples_have_the_moments_of_the_distribution) {
  DistributionWorld world(kGeometric, {{std::vector<double>(20000, 1.0)}});
  const std::vector<double> draws = world.distribution().sample(1, "y", 0);
  const double count = static_cast<double>(draws.size());
  const double mean = std::accumulate(draws.begin(), draws.end(), 0.0) / count;
  const double variance = std::numbers::e * (1 + std::numbers::e);
  EXPECT_NEAR(mean, std::numbers::e, 4 * std::sqrt(variance / count));
  EXPECT_NE(draws, world.distribution().sample(2, "y", 0)) << "the seed matters";
  EXPECT_NE(draws, world.distribution().sample(1, "y", 1)) << "the draw matters";
  EXPECT_NE(draws, world.distribution().sample(1, "z", 0)) << "the task matters";
}

TEST(Distribution, a_cdf_that_rounding_carries_beyond_one_is_cut) {
  const std::string text = "outputs f\nloss = f*y\nm = f\ncdf(q) = 1.0000001 + 0*q - f";
  EXPECT_EQ(one_row(text, {0}).distribution().cdf(std::vector{kTiny})[0], 1.0);
  EXPECT_EQ(one_row(text, {2}).distribution().cdf(std::vector{kTiny})[0], 0.0);
}

}  // namespace
}  // namespace softwood
