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

struct LargeGamma {
  double a, x, p, q;
};

// Against the density, integrated by mpmath, or the continued fraction. Boost's series stop after a
// million terms here, some milliseconds later, with results that are wrong in the first digit.
TEST(IncompleteFunctions, gamma_of_large_shapes_is_exact) {
  for (const LargeGamma& at : {
           LargeGamma{1e6, 1000010, 0.50412231679690957283, 0.49587768320309042717},
           LargeGamma{1e6, 994000, 9.1789002623020234219e-10, 0.99999999908210997377},
           LargeGamma{1e6, 1030000, 1, 3.2624301448767339856e-194},
           LargeGamma{1e8, 100000001, 0.50005319230375505643, 0.49994680769624494357},
           LargeGamma{1e12, 1000000010000, 0.50398948927544512229, 0.49601051072455487771},
           LargeGamma{1e12, 1000008000000, 0.9999999999999993778, 6.2220216353068973224e-16},
           LargeGamma{1e22, 1.00000000001e+22, 0.84134618813233330905, 0.15865381186766669095},
           LargeGamma{1e22, 9.9999999993999e+21, 9.8052724803154177701e-10, 0.99999999901947275197},
       }) {
    expect_relative(gamma_p(at.a, at.x), at.p);
    expect_relative(gamma_q(at.a, at.x), at.q, 2e-13);
  }
  EXPECT_EQ(gamma_p(1e9, 0), 0);
  EXPECT_EQ(gamma_q(1e9, 1e300), 0);
  EXPECT_EQ(gamma_p(1e9, 1e300), 1);
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

struct LargeBeta {
  double a, b, x, p, q;
};

TEST(IncompleteFunctions, beta_of_large_shapes_is_exact) {
  for (const LargeBeta& at : {
           LargeBeta{1e9, 1e9, 0.50000011180339887, 0.50398935631403667975, 0.49601064368596332025},
           LargeBeta{1e9, 1e9, 0.49993291796069178, 9.8658749466164461793e-10,
                     0.99999999901341250534},
           LargeBeta{1e9, 1e15, 9.9999931622829166e-07, 0.50399356089841504778,
                     0.49600643910158495222},
           LargeBeta{1e9, 1e15, 1.0001887363760055e-06, 0.99999999901116854028,
                     9.8883145972262711233e-10},
           LargeBeta{1e12, 1e12, 0.50000000353553387, 0.50398935626920495386,
                     0.49601064373079504614},
       }) {
    expect_relative(beta_p(at.a, at.b, at.x), at.p, 1e-10);
    expect_relative(beta_q(at.a, at.b, at.x), at.q, 1e-10);
  }
  // In the very middle, from which its own distance tells nothing.
  expect_relative(beta_p(1e12, 1e12, 0.5), 0.5);
  EXPECT_NEAR(beta_p(1e9, 1e15, 1e9 / (1e9 + 1e15)), 0.5 + 4.2052e-6, 1e-9);
  EXPECT_EQ(beta_p(1e12, 1e13, 0), 0);
  EXPECT_EQ(beta_q(1e12, 1e13, 1), 0);
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
