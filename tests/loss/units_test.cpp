#include "loss/units.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "base/random.h"
#include "loss/loss_testing.h"
#include "softwood/error.h"

namespace softwood {
namespace {

/// Skewed numbers around `center`, rounded to counts if asked for.
std::vector<double> sample(std::size_t count, double center, double spread, bool counts = false) {
  const RandomStream stream(5, "sample");
  std::vector<double> y(count);
  for (std::size_t row = 0; row < count; ++row) {
    y[row] = center + spread * (-std::log(1 - stream.uniform(row)) - 1);
    if (counts) y[row] = std::floor(std::max(0.0, y[row]));
  }
  return y;
}

double mean_of(const std::vector<double>& y) {
  return std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
}

Units units_of(const std::string& spec, const std::vector<double>& y, std::size_t classes = 0,
               const std::vector<double>& weights = {}) {
  return find_units(program_of(spec, classes), {.y = y, .columns = {}}, weights);
}

TEST(Units, squared_loss_finds_mean_and_standard_deviation) {
  const std::vector<double> y = sample(1000, 10, 3);
  const Units units = units_of("squared", y);
  EXPECT_NEAR(units.offset[0], mean_of(y), 1e-9);
  double variance = 0;
  for (const double value : y) variance += (value - mean_of(y)) * (value - mean_of(y)) / 1000;
  EXPECT_NEAR(units.unit[0], std::sqrt(variance), 1e-9);
  // Gradients in g are 2·sd·(f − y): their root mean square is 2·variance.
  EXPECT_NEAR(units.loss_scale, 2 * variance, 1e-8);
}

TEST(Units, follow_a_change_of_the_responses_scale) {
  const std::vector<double> y = sample(500, 2, 1);
  std::vector<double> changed = y;
  for (double& value : changed) value = 1000 * value + 5;
  for (const char* name : {"squared", "absolute", "log_cosh", "quantile(tau=0.8)"}) {
    const Units one = units_of(name, y), other = units_of(name, changed);
    EXPECT_NEAR(other.unit[0], 1000 * one.unit[0], 1e-6 * other.unit[0]) << name;
    if (std::string(name) == "log_cosh") continue;  // not a loss of scale
    EXPECT_NEAR(other.offset[0], 1000 * one.offset[0] + 5, 1e-5 * other.unit[0]) << name;
  }
}

TEST(Units, kinked_losses_find_their_quantile) {
  std::vector<double> y = sample(1001, 0, 1);
  const double median = units_of("absolute", y).offset[0];
  const double ninetieth = units_of("quantile(tau=0.9)", y).offset[0];
  std::sort(y.begin(), y.end());
  EXPECT_NEAR(median, y[500], 1e-6);
  EXPECT_GE(ninetieth, y[899] - 1e-6);
  EXPECT_LE(ninetieth, y[902] + 1e-6);
}

TEST(Units, log_scales_find_the_log_of_the_mean) {
  const std::vector<double> y = sample(2000, 4, 3, true);
  const Units units = units_of("poisson", y);
  EXPECT_NEAR(units.offset[0], std::log(mean_of(y)), 1e-4);
  EXPECT_EQ(units.unit[0], 0.3);
  EXPECT_NEAR(units_of("gamma", sample(500, 9, 3)).offset[0], std::log(mean_of(sample(500, 9, 3))),
              1e-4);
}

TEST(Units, classes_find_their_log_odds) {
  std::vector<double> y(1000, 0);
  std::fill_n(y.begin(), 200, 1);
  EXPECT_NEAR(units_of("logistic", y).offset[0], std::log(0.25), 1e-4);
  EXPECT_EQ(units_of("logistic", y).unit[0], 1);
  std::fill_n(y.begin(), 100, 2);
  const Units units = units_of("softmax", y, 3);
  EXPECT_NEAR(units.offset[0] - units.offset[1], std::log(8.0), 1e-3);
  EXPECT_NEAR(units.offset[1], units.offset[2], 1e-3);
}

TEST(Units, two_outputs_are_found_together) {
  const std::vector<double> y = sample(1000, 3, 2);
  const Units units = units_of("normal", y);
  EXPECT_NEAR(units.offset[0], mean_of(y), 1e-4);
  EXPECT_NEAR(std::exp(units.offset[1]), units.unit[0], 1e-3);
}

TEST(Units, log_scales_are_found_whatever_the_scale_of_the_response) {
  const std::vector<double> y = sample(2000, 40, 3);
  for (const char* name : {"normal", "laplace", "logistic_distribution", "student_t", "tobit"}) {
    const Units plain = units_of(name, y);
    for (const double scale : {1e-6, 1e-3, 1e3, 1e6}) {
      std::vector<double> scaled = y;
      for (double& value : scaled) value *= scale;
      const Units units = units_of(name, scaled);
      EXPECT_NEAR(units.offset[0] / scale, plain.offset[0], 1e-2) << name << " " << scale;
      EXPECT_NEAR(units.offset[1] - std::log(scale), plain.offset[1], 1e-3) << name << " " << scale;
    }
  }
  EXPECT_NEAR(units_of("normal", y).offset[1], std::log(units_of("normal", y).unit[0]), 1e-4);
}

TEST(Units, unbounded_directions_stop_at_a_sane_bound) {
  const std::vector<double> zeros(100, 0);
  for (const char* name : {"poisson", "logistic", "zip", "nb"}) {
    for (const double offset : units_of(name, zeros).offset) {
      EXPECT_TRUE(std::isfinite(offset)) << name;
      EXPECT_LE(std::abs(offset), 30) << name;
    }
  }
  EXPECT_LT(units_of("poisson", zeros).offset[0], -5);
  const std::vector<double> alike(100, 7.5);
  EXPECT_NEAR(units_of("squared", alike).offset[0], 7.5, 1e-9);
  EXPECT_EQ(units_of("squared", alike).unit[0], 1);
  EXPECT_EQ(units_of("squared", alike).loss_scale, 1);
}

TEST(Units, a_weight_of_two_equals_the_row_twice) {
  const std::vector<double> once = {1, 2, 10};
  const Units weighted = units_of("squared", once, 0, {1, 2, 1});
  const Units twice = units_of("squared", {1, 2, 2, 10});
  EXPECT_NEAR(weighted.offset[0], twice.offset[0], 1e-12);
  EXPECT_NEAR(weighted.unit[0], twice.unit[0], 1e-12);
  EXPECT_NEAR(weighted.loss_scale, twice.loss_scale, 1e-10);
}

TEST(Units, missing_responses_do_not_count) {
  const Units with = units_of("squared", {1, NAN, 2, 10, NAN});
  const Units without = units_of("squared", {1, 2, 10});
  EXPECT_EQ(with.offset, without.offset);
  EXPECT_EQ(with.unit, without.unit);
}

TEST(Units, a_stated_unit_is_taken) {
  EXPECT_EQ(units_of("outputs f; unit f = 0.7; loss = (y - f)^2", {1, 2, 3}).unit[0], 0.7);
}

TEST(Units, mistakes_are_errors) {
  EXPECT_THROW(units_of("squared", {NAN, NAN}), Error);
  EXPECT_THROW(units_of("log(-1 - f^2)*y", {1, 2}), Error);
}

TEST(Units, many_classes_and_rows_are_quick) {
  std::vector<double> y(500000);
  const RandomStream stream(9, "letters");
  for (std::size_t row = 0; row < y.size(); ++row)
    y[row] = static_cast<double>(stream.below(row, 26));
  const auto start = std::chrono::steady_clock::now();
  const Units units = units_of("softmax", y, 26);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_NEAR(*std::max_element(units.offset.begin(), units.offset.end()), 0, 0.05);
}

TEST(Units, a_large_table_is_sampled_and_polished) {
  const std::vector<double> y = sample(100000, 50, 20);
  EXPECT_NEAR(units_of("squared", y).offset[0], mean_of(y), 1e-6);
}

bool is_location(const std::string& spec, std::size_t output, const std::vector<double>& y) {
  return is_location_output(program_of(spec), output, {.y = y, .columns = {}});
}

TEST(LocationOutputs, are_recognised) {
  const std::vector<double> y = sample(300, 20, 4);
  for (const char* spec :
       {"squared", "absolute", "huber", "huber(delta=100)", "quantile", "log_cosh",
        "general_robust", "normal", "(y - f)^4", "log(1 + abs(f - y))"}) {
    EXPECT_TRUE(is_location(spec, 0, y)) << spec;
  }
}

TEST(LocationOutputs, log_and_logit_scales_are_not) {
  const std::vector<double> y = sample(300, 20, 4, true);
  for (const char* spec :
       {"poisson", "gamma", "exponential", "tweedie", "lognormal", "nb", "zip"}) {
    EXPECT_FALSE(is_location(spec, 0, y)) << spec;
  }
  EXPECT_FALSE(is_location("normal", 1, y));
  EXPECT_FALSE(is_location("zip", 1, y));
  EXPECT_FALSE(is_location("logistic", 0, {0, 1, 1, 0, 1}));
  EXPECT_FALSE(is_location("(y - exp(f))^2", 0, y));
}

}  // namespace
}  // namespace softwood
