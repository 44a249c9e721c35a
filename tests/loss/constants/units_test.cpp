#include "loss/constants/units.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "base/random.h"
#include "loss/constants/location_output.h"
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
  for (const char* name : {"squared", "absolute", "quantile(tau=0.9)"}) {
    EXPECT_NEAR(units_of(name, alike).offset[0], 7.5, 1e-5) << name;
    EXPECT_NEAR(units_of(name, alike).unit[0], 7.5e-6, 2e-6) << name;
  }
  EXPECT_EQ(units_of("squared", alike).offset[0], 7.5);
  EXPECT_EQ(units_of("absolute", alike).offset[0], 7.5);
}

TEST(Units, equal_responses_leave_every_family_finite) {
  for (const double value : {1e-8, 0.5, 3.0, 1e12, 1e100}) {
    for (const char* name : {"normal", "laplace", "student_t", "gamma", "weibull", "lognormal"}) {
      const Units units = units_of(name, std::vector<double>(50, value));
      for (std::size_t k = 0; k < units.offset.size(); ++k) {
        EXPECT_TRUE(std::isfinite(units.offset[k])) << name << " " << value;
        EXPECT_GT(units.unit[k], 0) << name << " " << value;
      }
    }
  }
}

/// y = common + {0, 1, …, 4}.
std::vector<double> with_common_part(double common) {
  std::vector<double> y;
  for (int row = 0; row < 60; ++row) y.push_back(common + (row * 7) % 5);
  return y;
}

TEST(Units, a_common_part_of_the_responses_moves_locations_by_itself) {
  for (const char* spec : {"squared", "absolute", "huber", "quantile(tau=0.7)", "expectile",
                           "log_cosh", "sqrt(1 + (y - f)^2)", "general_robust"}) {
    const Units plain = units_of(spec, with_common_part(0));
    for (const double common : {1e7, 1.7e9, 1e12, 1e15, -1e15}) {
      const Units units = units_of(spec, with_common_part(common));
      EXPECT_NEAR(units.offset[0] - common, plain.offset[0], 1e-6 + 4e-16 * std::abs(common))
          << spec << " " << common;
      EXPECT_NEAR(units.unit[0], plain.unit[0], 1e-9) << spec << " " << common;
    }
  }
}

TEST(Units, a_common_part_leaves_scales_alone) {
  for (const char* name : {"normal", "laplace", "logistic_distribution", "student_t", "tobit"}) {
    const Units plain = units_of(name, with_common_part(100));
    for (const double common : {1e7, 1e12}) {
      const Units units = units_of(name, with_common_part(common));
      EXPECT_NEAR(units.offset[0] - common + 100, plain.offset[0], 1e-3) << name << " " << common;
      EXPECT_NEAR(units.offset[1], plain.offset[1], 1e-3) << name << " " << common;
    }
  }
}

TEST(Units, log_scales_of_nearly_equal_responses_have_the_unit_of_their_relative_spread) {
  for (const char* name : {"gamma", "exponential", "poisson", "gamma_mean", "tweedie"}) {
    for (const double common : {1e4, 1e8, 1e12}) {
      const std::vector<double> y = with_common_part(common);
      const Units units = units_of(name, y);
      EXPECT_NEAR(units.offset[0], std::log(mean_of(y)), 1e-9 + 2 / common) << name;
      EXPECT_NEAR(units.unit[0] * common, 3 * std::sqrt(2.0), 0.3) << name << " " << common;
    }
  }
}

TEST(Units, weights_of_any_size_count_by_their_ratios) {
  const std::vector<double> y = {1, 2, 10, 4};
  const Units plain = units_of("squared", y, 0, {1, 2, 1, 4});
  for (const double size : {1e-300, 1e300, 4e307}) {
    const Units units = units_of("squared", y, 0, {size, 2 * size, size, 4 * size});
    EXPECT_NEAR(units.offset[0], plain.offset[0], 1e-9) << size;
    EXPECT_NEAR(units.loss_scale, plain.loss_scale, 1e-9) << size;
  }
  EXPECT_NEAR(units_of("squared", y, 0, {1e308, 1e-300, 1e308, 1e-300}).offset[0], 5.5, 1e-9);
}

TEST(Units, exposures_of_any_size_are_taken_out) {
  const std::vector<double> y = {1, 0, 3, 2, 5, 1};
  for (const char* spec : {"poisson(exposure=e)", "nb(exposure=e)", "zip(exposure=e)"}) {
    const LossProgram program = program_of(spec);
    for (const double size : {1e-300, 1e-20, 1.0, 1e20, 1e300}) {
      const std::vector<double> exposure(y.size(), size);
      const Units units = find_units(program, {.y = y, .columns = {exposure}}, {});
      const Units plain =
          find_units(program, {.y = y, .columns = {std::vector<double>(y.size(), 1.0)}}, {});
      EXPECT_NEAR(units.offset[0] + std::log(size), plain.offset[0], 1e-3) << spec << " " << size;
    }
  }
}

TEST(Units, numbers_beyond_doubles_are_errors_that_say_so) {
  for (const double scale : {1e-300, 1e-160, 1e160, 1e300}) {
    std::vector<double> y = with_common_part(1);
    for (double& value : y) value *= scale;
    try {
      units_of("squared", y);
      FAIL() << scale;
    } catch (const Error& error) {
      const std::string advice = scale < 1 ? "multiply them" : "divide them";
      EXPECT_NE(std::string(error.what()).find(advice), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(units_of("squared", {-1.7e308, 1.7e308, 0}), Error);
}

TEST(Units, a_cusp_at_the_median_is_stepped_beside) {
  const std::vector<double> y = sample(101, 5, 2);
  const Units units = units_of("sqrt(abs(y - f))", y);
  const LossProgram program = program_of("sqrt(abs(y - f))");
  for (const double value : y)
    EXPECT_TRUE(std::isfinite(evaluate_at(program, value, units.offset).gradient[0]));
  EXPECT_NEAR(units.offset[0], 5, 4);
}

TEST(Units, many_classes_get_the_logarithms_of_their_shares) {
  std::vector<double> y;
  for (int k = 0; k < 200; ++k) y.insert(y.end(), 1 + k % 7, k);
  const Units units = units_of("softmax", y, 201);  // and one without rows
  for (int k = 1; k < 200; ++k) {
    EXPECT_NEAR(units.offset[k] - units.offset[0], std::log(1.0 + k % 7), 1e-3) << k;
  }
  EXPECT_LT(units.offset[200], units.offset[0] - 5);
  EXPECT_TRUE(std::isfinite(units.offset[200]));
}

TEST(Units, many_outputs_of_any_loss_are_found_together) {
  const Units units = units_of(
      "outputs f[40]; loss = sum((y*range(40)/40 - f - 0.3*sum(f)/40)^2)/40 + 0.1*(sum(f) - y)^2",
      sample(200, 3, 1));
  const LossProgram program = program_of(
      "outputs f[40]; loss = sum((y*range(40)/40 - f - 0.3*sum(f)/40)^2)/40 + 0.1*(sum(f) - y)^2");
  std::vector<double> mean(40, 0);
  double size = 0;
  for (const double value : sample(200, 3, 1)) {
    const Evaluated at = evaluate_at(program, value, units.offset);
    for (std::size_t k = 0; k < 40; ++k) {
      mean[k] += at.gradient[k] / 200;
      size = std::max(size, std::abs(at.gradient[k]));
    }
  }
  for (const double slope : mean) EXPECT_NEAR(slope, 0, 1e-3 * size);
}

TEST(Units, the_search_ends_when_its_checkpoint_throws) {
  struct Enough {};
  int calls = 0;
  const std::vector<double> y = sample(50, 3, 1);
  const auto checkpoint = [&] {
    if (++calls == 5) throw Enough();
  };
  EXPECT_THROW(find_units(program_of("normal"), {.y = y, .columns = {}}, {}, checkpoint), Enough);
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
  return loss::is_location(program_of(spec), output,
                           loss::WeightedRows::with_response({.y = y, .columns = {}}, {}));
}

TEST(LocationOutputs, are_recognised) {
  const std::vector<double> y = sample(300, 20, 4);
  for (const char* spec :
       {"squared", "absolute", "huber", "huber(delta=100)", "quantile", "log_cosh",
        "general_robust", "normal", "(y - f)^4", "log(1 + abs(f - y))"}) {
    EXPECT_TRUE(is_location(spec, 0, y)) << spec;
  }
}

TEST(LocationOutputs, are_recognised_whatever_the_common_part_and_the_scale) {
  for (const double common : {0.0, 1e8, 1e12, 1e15}) {
    for (const char* spec : {"squared", "absolute", "quantile", "normal", "log(1 + abs(f - y))"})
      EXPECT_TRUE(is_location(spec, 0, with_common_part(common))) << spec << " " << common;
    EXPECT_FALSE(is_location("normal", 1, with_common_part(common))) << common;
    EXPECT_FALSE(is_location("(log(y) - f)^2", 0, with_common_part(common + 1))) << common;
  }
  for (const double scale : {1e-100, 1e-8, 1e8, 1e100}) {
    std::vector<double> y = sample(300, 20, 4);
    for (double& value : y) value *= scale;
    for (const char* spec : {"squared", "normal", "student_t"})
      EXPECT_TRUE(is_location(spec, 0, y)) << spec << " " << scale;
    EXPECT_FALSE(is_location("normal", 1, y)) << scale;
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
