// Against mpmath with 60 digits or more (mpmath 1.3: loggamma, digamma, erfc and plain sums), on
// every SIMD target.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/simd_target.h"
#include "loss/language/operation_testing.h"

namespace softwood::loss {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <Op op>
double one(double x) {
  return evaluate_operation(op, {{x}})[0];
}
template <Op op>
double two(double x, double n) {
  return evaluate_operation(op, {{x, n}})[0];
}

constexpr auto normal_log_cdf = one<Op::normal_log_cdf>, normal_hazard = one<Op::normal_hazard>,
               log1p_ratio = one<Op::log1p_ratio>, log1p_ratio_slope = one<Op::log1p_ratio_slope>,
               log_expm1_ratio = one<Op::log_expm1_ratio>,
               log_expm1_ratio_slope = one<Op::log_expm1_ratio_slope>,
               stirling_error = one<Op::stirling_error>,
               stirling_error_slope = one<Op::stirling_error_slope>;
constexpr auto log_rising = two<Op::log_rising>, log_multichoose = two<Op::log_multichoose>,
               digamma_difference = two<Op::digamma_difference>, sum_log1p = two<Op::sum_log1p>,
               sum_log1p_slope = two<Op::sum_log1p_slope>;

void expect_relative(double ours, double exact, double tolerance = 1e-13) {
  EXPECT_NEAR(ours, exact, tolerance * std::abs(exact));
}

class SpecialFunctions : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_simd_target(GetParam()); }
  void TearDown() override { force_simd_target(""); }
};

TEST_P(SpecialFunctions, normal_log_cdf_is_exact_in_both_tails) {
  expect_relative(normal_log_cdf(-1), -1.8410216450092635058);
  expect_relative(normal_log_cdf(-10), -53.231285150512470578);
  expect_relative(normal_log_cdf(-25), -316.63940800802025894);
  expect_relative(normal_log_cdf(-700), -245007.47002090905399);
  expect_relative(normal_log_cdf(3), -0.0013508099647481937988);
  expect_relative(normal_log_cdf(9), -1.1285884059538406478e-19);
  EXPECT_EQ(normal_log_cdf(-kInfinity), -kInfinity);
}

TEST_P(SpecialFunctions, normal_hazard_is_exact_in_both_tails) {
  expect_relative(normal_hazard(-1), 1.5251352761609812091);
  expect_relative(normal_hazard(-10), 10.098093233962511963);
  expect_relative(normal_hazard(-25), 25.039873012057562583);
  expect_relative(normal_hazard(-700), 700.00142856559772714);
  expect_relative(normal_hazard(9), 1.0279773571668914796e-18);
}

struct RisingCase {
  double x, n, rising, digamma, multichoose;
};

TEST_P(SpecialFunctions, rising_factorials_keep_their_digits) {
  for (const RisingCase& at : {
           RisingCase{0.3, 2.5, -0.57909520283032872869, 4.3430712110495502163,
                      -1.7800688051774029535},
           RisingCase{15, 40.5, 141.13028497710168764, 1.3330002968796502104,
                      28.955907933923810132},
           RisingCase{1e12, 7, 193.41714781152083746, 6.999999999979e-12, 184.89198645045542316},
           RisingCase{1e12, 1e5, 2763102.1165928046542, 9.9999995000050333328e-8,
                      1711802.894693682789},
           RisingCase{3.5, 1000, 5928.2009637146407998, 5.8075941887344723223,
                      16.072785226477450876},
           RisingCase{1e-300, 5, -687.59747406786575956, 9.9999999999999997494e+299,
                      -692.38496581064780555},
           RisingCase{1e300, 2, 1381.5510557964274105, 1.999999999999999895e-300,
                      1380.8579086158674652},
       }) {
    expect_relative(log_rising(at.x, at.n), at.rising);
    expect_relative(digamma_difference(at.x, at.n), at.digamma);
    expect_relative(log_multichoose(at.x, at.n), at.multichoose);
  }
  EXPECT_EQ(log_rising(2.5, 0), 0);
  EXPECT_EQ(log_multichoose(2.5, 0), 0);
}

struct SumCase {
  double a, n, sum, slope;
};

TEST_P(SpecialFunctions, sums_of_log1p_keep_their_digits) {
  for (const SumCase& at : {
           SumCase{0.3, 5, 2.162679140249891491, 5.4163599558336401325},
           SumCase{1e-12, 5, 9.9999999999849997989e-12, 9.99999999997},
           SumCase{1e-12, 1000, 4.9949999983358324004e-7, 499499.99966716650025},
           SumCase{0.01, 1000, 1636.4850948688264647, 75975.510082766885397},
           SumCase{0.5, 1000, 5225.88975270753326, 1974.0541205538026164},
           SumCase{1e200, 7, 2769.6813628048649216, 6.0000000000000001816e-200},
           SumCase{1e-3, 1e5, 366124.86455820053785, 95384384.350328632278},
           SumCase{0.099, 33, 28.803960441635521676, 181.35073510715862091},
       }) {
    expect_relative(sum_log1p(at.a, at.n), at.sum, 1e-12);
    expect_relative(sum_log1p_slope(at.a, at.n), at.slope, 1e-12);
  }
}

TEST_P(SpecialFunctions, log1p_ratio_is_smooth_through_zero) {
  EXPECT_EQ(log1p_ratio(0), 1);
  EXPECT_EQ(log1p_ratio_slope(0), -0.5);
  expect_relative(log1p_ratio(1e-10), 0.99999999995);
  expect_relative(log1p_ratio_slope(1e-10), -0.49999999993333333334);
  expect_relative(log1p_ratio_slope(1e-4), -0.49993334083253341666);
  expect_relative(log1p_ratio_slope(0.3), -0.35105592998066980894);
  expect_relative(log1p_ratio_slope(5), -0.038337045435788866699);
  expect_relative(log1p_ratio_slope(1e8), -1.7420680763952365322e-15, 1e-9);
}

struct SlopeCase {
  double x, value, slope;
};

TEST_P(SpecialFunctions, log_expm1_ratio_is_smooth_through_zero) {
  for (const SlopeCase& at : {
           SlopeCase{-40, -3.6888794541139363071, 0.024999999999999995752},
           SlopeCase{-0.3, -0.14625280848891068164, 0.47503741982325073195},
           SlopeCase{1e-10, 5.0000000000416668488e-11, 0.50000000000833333333},
           SlopeCase{0.01, 0.0050041666631944500602, 0.50083333194444775133},
           SlopeCase{0.0499, 0.025053748263921959324, 0.50415816077203737489},
           SlopeCase{0.0501, 0.025154581562534997634, 0.50417482535557459381},
           SlopeCase{3, 1.8503185303891887221, 0.71906236315792261864},
           SlopeCase{700, 693.44891966495659533, 0.99857142857142857143},
       }) {
    expect_relative(log_expm1_ratio(at.x), at.value);
    expect_relative(log_expm1_ratio_slope(at.x), at.slope);
  }
  EXPECT_EQ(log_expm1_ratio(0), 0);
  EXPECT_EQ(log_expm1_ratio_slope(0), 0.5);
}

TEST_P(SpecialFunctions, stirlings_error_keeps_its_digits) {
  for (const SlopeCase& at : {
           SlopeCase{1e-10, 10.593986934110419187, -4999999977.5513645526},
           SlopeCase{0.3, 0.23606490074821558839, -0.63188475120753036694},
           SlopeCase{9.99, 0.008338896797734330091, -0.00083416977921100089472},
           SlopeCase{10, 0.0083305634333628712565, -0.00083250392732457637054},
           SlopeCase{1e8, 8.3333333333333333056e-10, -8.33333333333333325e-18},
       }) {
    expect_relative(stirling_error(at.x), at.value, 1e-12);
    expect_relative(stirling_error_slope(at.x), at.slope, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, SpecialFunctions, ::testing::ValuesIn(simd_targets()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace softwood::loss
