// Against mpmath with 60 digits (mpmath 1.4: gammainc and betainc, regularized).
#include "loss/language/incomplete_functions.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace softwood::loss {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void expect_relative(double ours, double exact, double tolerance = 1e-13) {
  EXPECT_NEAR(ours, exact, tolerance * std::abs(exact));
}

struct GammaCase {
  double a, x, p, q, slope;
};

TEST(IncompleteFunctions, gamma_keeps_its_digits_in_both_tails) {
  for (const GammaCase& at : {
           GammaCase{0.3, 0.01, 0.27924099635901486104, 0.72075900364098513896,
                     8.3130048283966127636},
           GammaCase{2.5, 3, 0.69378108158672159912, 0.30621891841327840088, 0.1946086933185658409},
           GammaCase{41, 60, 0.99601719049772699418, 0.0039828095022730058196,
                     0.0014346171986596834086},
           GammaCase{1000, 900, 0.00054990226571178292301, 0.99945009773428821708,
                     0.000065855036504654442634},
       }) {
    expect_relative(gamma_p(at.a, at.x), at.p, 1e-12);
    expect_relative(gamma_q(at.a, at.x), at.q, 1e-12);
    expect_relative(gamma_p_slope(at.a, at.x), at.slope, 1e-12);
  }
  expect_relative(gamma_q(1000001, 1000000), 0.50026596148628365, 1e-10);
}

TEST(IncompleteFunctions, gamma_holds_at_its_edges) {
  EXPECT_EQ(gamma_p(0, 3), 1);
  EXPECT_EQ(gamma_q(2, 0), 1);
  EXPECT_EQ(gamma_p(2, kInfinity), 1);
  EXPECT_EQ(gamma_q(2, kInfinity), 0);
  EXPECT_EQ(gamma_q(kInfinity, 7), 1);
  EXPECT_EQ(gamma_p_slope(2, kInfinity), 0);
  for (double (*f)(double, double) : {gamma_p, gamma_q, gamma_p_slope}) {
    EXPECT_TRUE(std::isnan(f(-1, 2)));
    EXPECT_TRUE(std::isnan(f(1, -2)));
    EXPECT_TRUE(std::isnan(f(NAN, 2)));
    EXPECT_TRUE(std::isnan(f(1, NAN)));
  }
}

struct BetaCase {
  double a, b, x, p, q, slope;
};

TEST(IncompleteFunctions, beta_keeps_its_digits_in_both_tails) {
  for (const BetaCase& at : {
           BetaCase{0.5, 2.5, 0.1, 0.51041025543557250905, 0.48958974456442749095,
                    2.2918311805232927503},
           BetaCase{3, 4, 0.7, 0.92952999999999996475, 0.070470000000000035252,
                    0.7938000000000002518},
           BetaCase{41, 1000, 0.04, 0.55975696665659869336, 0.44024303334340130664,
                    64.732929833566299597},
           BetaCase{0.001, 5, 0.2, 0.99978344564642765807, 0.00021655435357234192657,
                    0.0020489693101605696308},
       }) {
    expect_relative(beta_p(at.a, at.b, at.x), at.p, 1e-12);
    expect_relative(beta_q(at.a, at.b, at.x), at.q, 1e-12);
    expect_relative(beta_p_slope(at.a, at.b, at.x), at.slope, 1e-12);
  }
}

TEST(IncompleteFunctions, beta_goes_to_gamma_as_one_of_its_shapes_grows) {
  for (const double huge : {1e30, 1e99, 1e101, 1e300}) {
    for (const double a : {1.0, 41.0, 1000001.0}) {
      const double mean = a + 3;
      expect_relative(beta_q(a, huge, mean / huge), gamma_q(a, mean), 1e-10);
      expect_relative(beta_p(a, huge, mean / huge), gamma_p(a, mean), 1e-10);
    }
  }
  expect_relative(beta_p(1e150, 3, 0.5), 0);
  EXPECT_EQ(beta_q(1e150, 3, 1), 0);
}

TEST(IncompleteFunctions, beta_holds_at_its_edges) {
  EXPECT_EQ(beta_p(2, 3, 0), 0);
  EXPECT_EQ(beta_p(2, 3, 1), 1);
  EXPECT_EQ(beta_q(2, 3, 0), 1);
  EXPECT_EQ(beta_p(1e-300, 3, 0.2), 1);
  for (double (*f)(double, double, double) : {beta_p, beta_q, beta_p_slope}) {
    EXPECT_TRUE(std::isnan(f(-1, 2, 0.5)));
    EXPECT_TRUE(std::isnan(f(1, -2, 0.5)));
    EXPECT_TRUE(std::isnan(f(1, 2, 1.5)));
    EXPECT_TRUE(std::isnan(f(1, 2, NAN)));
  }
}

}  // namespace
}  // namespace softwood::loss
