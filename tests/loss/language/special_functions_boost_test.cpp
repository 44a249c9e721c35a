// The vectorised special functions of one number against Boost.Math in long double, on every SIMD
// target.
#include <cmath>
#include <limits>

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <gtest/gtest.h>

#include "base/simd_target.h"
#include "loss/language/operation_testing.h"

namespace softwood::loss {
namespace {

namespace bm = boost::math;
using Exact = long double(long double);

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<std::vector<double>> rows_of(const std::vector<double>& numbers) {
  std::vector<std::vector<double>> rows;
  for (const double x : numbers) rows.push_back({x});
  return rows;
}

/// Positive numbers of every size, dense where functions are 0 or their formulas meet.
std::vector<double> positive_numbers() {
  std::vector<double> x;
  for (int i = 1; i <= 2000; ++i) x.push_back(i * 0.00537);
  for (int i = -100; i <= 100; ++i) {
    for (const double at : {0.5, 1.0, 1.4616321449683623, 1.5, 2.0, 2.5, 3.0, 10.0})
      x.push_back(at * (1 + std::copysign(std::exp2(-std::abs(i) / 2.0), i)));
  }
  for (double size = 1e-300; size < 1e300; size *= 7.3) x.push_back(size);
  for (int n = 1; n <= 300; ++n) x.push_back(n);
  std::erase_if(x, [](double each) { return each <= 0; });
  return x;
}

std::vector<double> numbers_of_both_signs(double most) {
  std::vector<double> x;
  for (int i = -3000; i <= 3000; ++i) x.push_back(most * i / 3000);
  for (double size = 1e-300; size < 1; size *= 7.3) x.insert(x.end(), {size, -size});
  return x;
}

class SpecialFunctionsOf : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_simd_target(GetParam()); }
  void TearDown() override { force_simd_target(""); }

  /// Relative errors are at most `ulps` of 2^-52.
  static void expect(Op op, Exact* exact, const std::vector<double>& numbers, double ulps) {
    const std::vector<double> ours = evaluate_operation(op, rows_of(numbers));
    double worst = 0, at = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const long double truth = exact(numbers[i]);
      if (truth == 0 || std::abs(truth) < std::numeric_limits<double>::min()) {
        EXPECT_NEAR(ours[i], static_cast<double>(truth), 1e-320) << numbers[i];
        continue;
      }
      if (std::abs(truth) > std::numeric_limits<double>::max()) {
        EXPECT_EQ(ours[i], static_cast<double>(truth)) << numbers[i];
        continue;
      }
      const auto error = static_cast<double>(std::abs(ours[i] / truth - 1) / 0x1p-52L);
      if (!(error <= worst)) worst = error, at = numbers[i];
    }
    EXPECT_LE(worst, ulps) << operation(op).name << " at " << at;
  }

  static void expect_edges(Op op, const std::vector<std::pair<double, double>>& edges) {
    for (const auto& [x, value] : edges) {
      EXPECT_TRUE(same_bits(evaluate_operation(op, {{x}})[0], value))
          << operation(op).name << " of " << x;
    }
  }
};

long double lower_tail(long double x) {
  return bm::erfc(-x / std::sqrt(2.0L)) / 2;
}
long double density(long double x) {
  return std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0L));
}

TEST_P(SpecialFunctionsOf, one_number_are_within_a_few_last_bits_of_boost) {
  const std::vector<double> x = positive_numbers();
  expect(
      Op::lgamma, [](long double at) { return bm::lgamma(at); }, x, 4);
  expect(
      Op::digamma, [](long double at) { return bm::digamma(at); }, x, 4);
  std::vector<double> not_tiny = x;
  std::erase_if(not_tiny, [](double each) { return each < 1e-150; });
  expect(
      Op::trigamma, [](long double at) { return bm::trigamma(at); }, not_tiny, 4);
}

TEST_P(SpecialFunctionsOf, the_normal_distribution_are_within_a_few_last_bits_of_boost) {
  expect(
      Op::erf, [](long double at) { return bm::erf(at); }, numbers_of_both_signs(7), 4);
  const std::vector<double> x = numbers_of_both_signs(38);
  expect(Op::normal_cdf, lower_tail, x, 6);
  const auto log_tail = [](long double at) {
    return at > 0 ? std::log1p(-lower_tail(-at)) : std::log(lower_tail(at));
  };
  expect(Op::normal_log_cdf, log_tail, x, 6);
  expect(
      Op::normal_hazard, [](long double at) { return density(at) / lower_tail(at); }, x, 6);
}

/// Boost in double precision, which computes them, has these errors.
TEST_P(SpecialFunctionsOf, negative_numbers_are_boosts) {
  const std::vector<double> x = {-1e-12, -0.3, -0.5, -1.7, -17.25, -1000.5};
  expect(
      Op::lgamma, [](long double at) { return bm::lgamma(at); }, x, 16);
  expect(
      Op::digamma, [](long double at) { return bm::digamma(at); }, x, 16);
  expect(
      Op::trigamma, [](long double at) { return bm::trigamma(at); }, x, 16);
}

TEST_P(SpecialFunctionsOf, edges_have_their_limits) {
  expect_edges(Op::lgamma, {{0, kInfinity},
                            {-0.0, kInfinity},
                            {1, 0},
                            {2, 0},
                            {-3, kInfinity},
                            {kInfinity, kInfinity},
                            {-kInfinity, kInfinity},
                            {kNaN, kNaN},
                            {1e306, kInfinity}});
  expect_edges(Op::digamma, {{0, -kInfinity},
                             {-0.0, -kInfinity},
                             {-3, kNaN},
                             {5e-324, -kInfinity},
                             {kInfinity, kInfinity},
                             {-kInfinity, kNaN},
                             {kNaN, kNaN}});
  expect_edges(
      Op::trigamma,
      {{0, kInfinity}, {-3, kInfinity}, {kInfinity, 0}, {kNaN, kNaN}, {1e-200, kInfinity}});
  expect_edges(Op::erf, {{0, 0}, {-0.0, -0.0}, {kInfinity, 1}, {-kInfinity, -1}, {kNaN, kNaN}});
  expect_edges(Op::normal_cdf, {{kInfinity, 1}, {-kInfinity, 0}, {kNaN, kNaN}, {-40, 0}, {0, 0.5}});
  expect_edges(Op::normal_log_cdf, {{-kInfinity, -kInfinity}, {kNaN, kNaN}, {-1e200, -kInfinity}});
  expect_edges(Op::normal_hazard, {{kInfinity, 0}, {-kInfinity, kInfinity}, {kNaN, kNaN}});
  expect_edges(Op::stirling_error, {{kInfinity, 0}, {kNaN, kNaN}});
  expect_edges(Op::log1p_ratio, {{0, 1}, {kInfinity, 0}, {-1, kInfinity}, {kNaN, kNaN}});
  expect_edges(Op::log1p_ratio_slope, {{0, -0.5}, {kInfinity, 0}, {kNaN, kNaN}});
  expect_edges(Op::log_expm1_ratio, {{0, 0}, {kInfinity, kInfinity}, {kNaN, kNaN}});
  expect_edges(Op::log_expm1_ratio_slope,
               {{0, 0.5}, {kInfinity, 1}, {-kInfinity, 0}, {kNaN, kNaN}});
}

INSTANTIATE_TEST_SUITE_P(Every, SpecialFunctionsOf, ::testing::ValuesIn(simd_targets()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace softwood::loss
