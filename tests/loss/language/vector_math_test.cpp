// The vectorised elementary functions, through one-function programs, on every SIMD target.
#include <cmath>

#include <gtest/gtest.h>

#include "base/simd_target.h"
#include "loss/loss_testing.h"

namespace softwood {
namespace {

using LongFunction = long double (*)(long double);

std::vector<double> probes() {
  std::vector<double> x = {0.0,
                           -0.0,
                           1,
                           -1,
                           HUGE_VAL,
                           -HUGE_VAL,
                           NAN,
                           5e-324,
                           -5e-324,
                           1e-310,
                           2.3e-308,
                           1e-300,
                           -1e-300,
                           1e-20,
                           -1e-20,
                           1e300,
                           -1e300,
                           709.78,
                           709.79,
                           710,
                           -708.4,
                           -745.1,
                           -745.2,
                           -746,
                           0.5 * std::log(2.0),
                           -0.5 * std::log(2.0),
                           1 - 1e-16,
                           1 + 3e-16,
                           -1 + 1e-16,
                           1.7976931348623157e308,
                           std::sqrt(0.5),
                           std::sqrt(2.0),
                           -36.7,
                           709.6};
  for (int i = -2000; i <= 2000; ++i) {
    x.push_back(i * 0.37);
    x.push_back(i * 1e-3);
    x.push_back(std::pow(10.0, i * 0.15) * (i % 2 == 0 ? 1 : -1));
  }
  return x;
}

/// Relative error at most `ulps` of 2^-52; infinities, zeros and NaN exactly.
void expect_close(double ours, long double exact, double ulps, double at, const std::string& what) {
  const auto rounded = static_cast<double>(exact);
  if (std::isnan(rounded)) {
    EXPECT_TRUE(std::isnan(ours)) << what << " at " << at;
  } else if (std::isinf(rounded) || rounded == 0) {
    EXPECT_EQ(ours, rounded) << what << " at " << at;
  } else {
    const double slack = ulps * std::max(0x1p-52 * std::abs(rounded), 5e-324);
    EXPECT_NEAR(ours, rounded, slack) << what << " at " << at;
  }
}

void expect_function(const std::string& name, LongFunction exact, double ulps) {
  const LossSource source{.name = name, .text = "loss = " + name + "(f)", .settings = {}};
  const LossProgram program = LossProgram::compile(source);
  const std::vector<double> x = probes();
  const std::vector<double> y(x.size(), 0);
  std::vector<double> ours(x.size());
  for (const std::string& target : simd_targets()) {
    force_simd_target(target);
    program.value({.y = y, .columns = {}}, {x.data(), 1, x.size()}, ours);
    force_simd_target("");
    for (std::size_t i = 0; i < x.size(); ++i) {
      expect_close(ours[i], exact(x[i]), ulps, x[i], name + " on " + target);
    }
  }
}

TEST(VectorMath, exp) {
  expect_function("exp", std::exp, 1.5);
}
TEST(VectorMath, log) {
  expect_function("log", std::log, 1.5);
}
TEST(VectorMath, log1p) {
  expect_function("log1p", std::log1p, 2.5);
}
TEST(VectorMath, expm1) {
  expect_function("expm1", std::expm1, 2.5);
}
TEST(VectorMath, tanh) {
  expect_function("tanh", std::tanh, 4);
}
TEST(VectorMath, sqrt) {
  expect_function("sqrt", std::sqrt, 1);
}
TEST(VectorMath, floor) {
  expect_function("floor", std::floor, 0);
}
TEST(VectorMath, softplus) {
  expect_function(
      "softplus", [](long double x) { return x > 60 ? x : std::log1p(std::exp(x)); }, 4);
}
TEST(VectorMath, sigmoid) {
  expect_function(
      "sigmoid", [](long double x) { return 1 / (1 + std::exp(-x)); }, 4);
}

}  // namespace
}  // namespace softwood
