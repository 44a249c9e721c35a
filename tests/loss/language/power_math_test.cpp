// Powers against the C library's in long double, on every SIMD target.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/simd_target.h"
#include "loss/language/operation_testing.h"

namespace softwood::loss {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class Powers : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_simd_target(GetParam()); }
  void TearDown() override { force_simd_target(""); }
};

TEST_P(Powers, are_within_a_few_last_bits_of_long_double) {
  std::vector<std::vector<double>> rows;
  for (double base = 1e-300; base < 1e300; base *= 37.123) {
    for (int i = -150; i <= 150; ++i) rows.push_back({base, i * 0.0537});
  }
  for (int i = 1; i < 400; ++i) {
    for (double exponent = 1e-10; exponent < 1e6; exponent *= 3.71) {
      rows.push_back({i * 0.0051, exponent});
      rows.push_back({1 + i * 1e-5, -exponent});
    }
  }
  const std::vector<double> ours = evaluate_operation(Op::power, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const long double exact =
        std::pow(static_cast<long double>(rows[i][0]), static_cast<long double>(rows[i][1]));
    if (exact < std::numeric_limits<double>::min() || exact > std::numeric_limits<double>::max())
      continue;
    // What is left of the logarithm's error grows with the exponent.
    const long double ulps = 2 + std::abs(std::log(exact)) / 32;
    ASSERT_LE(std::abs(ours[i] / exact - 1), ulps * 0x1p-52L) << rows[i][0] << "^" << rows[i][1];
  }
}

TEST_P(Powers, have_the_c_librarys_values_at_their_edges) {
  std::vector<std::vector<double>> rows;
  const std::vector<double> odd = {0,    -0.0, 1,      -1,    2,         -2,
                                   0.5,  -3,   1e-310, 1e308, kInfinity, -kInfinity,
                                   kNaN, 2.5,  1e4,    -1e4,  5e-324};
  for (const double base : odd) {
    for (const double exponent : odd) rows.push_back({base, exponent});
  }
  const std::vector<double> ours = evaluate_operation(Op::power, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double exact = std::pow(rows[i][0], rows[i][1]);
    const bool is_ordinary = exact != 0 && std::isfinite(exact);
    if (is_ordinary) {
      EXPECT_NEAR(ours[i], exact, 4 * 0x1p-52 * std::abs(exact)) << rows[i][0] << rows[i][1];
    } else {
      EXPECT_TRUE(same_bits(ours[i], exact)) << rows[i][0] << "^" << rows[i][1] << " " << ours[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Powers, ::testing::ValuesIn(simd_targets()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace softwood::loss
