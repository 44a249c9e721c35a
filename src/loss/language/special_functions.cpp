#include "loss/language/special_functions.h"

#include <array>
#include <cmath>
#include <limits>

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include "loss/language/quiet_policy.h"

namespace softwood::loss {
namespace {

namespace bm = boost::math;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kSqrtHalf = 0.70710678118654752440;
constexpr double kInvSqrtTwoPi = 0.39894228040143267794;
constexpr double kLogSqrtTwoPi = 0.91893853320467274178;

/// From here the series in 1/z below are exact to the last bit.
constexpr double kStirlingFrom = 10;
/// Up to this many factors a product is cheaper and better than any formula.
constexpr double kFewFactors = 32;

constexpr int kNumFactorials = 256;
const std::array<double, kNumFactorials>& small_lgammas() {
  static const auto table = [] {
    std::array<double, kNumFactorials> values{};
    values[0] = kInfinity;
    for (int n = 1; n < kNumFactorials; ++n) values[n] = bm::lgamma(static_cast<double>(n), kQuiet);
    return values;
  }();
  return table;
}

bool is_small_count(double n) {
  return n >= 0 && n <= kFewFactors && n == std::floor(n);
}

/// log Γ(z) − ((z − ½) log z − z + ½ log 2π), for z ≥ kStirlingFrom.
double stirling_remainder(double z) {
  const double u = 1 / z;
  const double w = u * u;
  return u * (1. / 12 +
              w * (-1. / 360 +
                   w * (1. / 1260 +
                        w * (-1. / 1680 + w * (1. / 1188 + w * (-691. / 360360 + w / 156))))));
}

/// ψ(z) − (log z − 1/(2z) − 1/(12z²)), for z ≥ kStirlingFrom.
double digamma_remainder(double z) {
  const double w = 1 / (z * z);
  return w * w *
         (1. / 120 +
          w * (-1. / 252 + w * (1. / 240 + w * (-1. / 132 + w * (691. / 32760 - w / 12)))));
}

/// (log(1 + x) − x) / x².
double log1pmx_ratio(double x) {
  if (std::abs(x) < 1e-5) return -0.5 + x * (1. / 3 + x * (-0.25 + x * 0.2));
  return bm::log1pmx(x, kQuiet) / x / x;
}

/// Φ(x) / (φ(x) / −x) far to the left: 1 − 1/x² + 3/x⁴ − 15/x⁶ …
double normal_tail_series(double x) {
  const double w = 1 / (x * x);
  double term = 1, sum = 1;
  for (int k = 1; k <= 10; ++k) {
    term *= -(2 * k - 1) * w;
    sum += term;
  }
  return sum;
}
constexpr double kNormalTail = -20;

}  // namespace

double lgamma(double x) {
  if (x >= 0 && x < kNumFactorials && x == std::floor(x)) {
    return small_lgammas()[static_cast<int>(x)];
  }
  if (std::isnan(x)) return x;
  if (std::isinf(x)) return kInfinity;
  if (x < 0 && x == std::floor(x)) return kInfinity;
  return bm::lgamma(x, kQuiet);
}

double digamma(double x) {
  if (std::isnan(x) || x == kInfinity) return x;
  if (x <= 0 && x == std::floor(x)) return x == 0 ? -kInfinity : kNaN;
  return bm::digamma(x, kQuiet);
}

double trigamma(double x) {
  if (std::isnan(x)) return x;
  if (x == kInfinity) return 0;
  if (x <= 0 && x == std::floor(x)) return kInfinity;
  if (std::abs(x) < 1e-9) return 1 / x / x;
  return bm::trigamma(x, kQuiet);
}

double erf(double x) {
  return std::isnan(x) ? x : bm::erf(x, kQuiet);
}

double normal_cdf(double x) {
  return std::isnan(x) ? x : 0.5 * bm::erfc(-x * kSqrtHalf, kQuiet);
}

double normal_log_cdf(double x) {
  if (std::isnan(x)) return x;
  if (x > 0) return std::log1p(-normal_cdf(-x));
  if (x > kNormalTail) return std::log(normal_cdf(x));
  if (std::isinf(x)) return -kInfinity;
  return -0.5 * x * x - std::log(-x) - kLogSqrtTwoPi + std::log(normal_tail_series(x));
}

double normal_hazard(double x) {
  if (std::isnan(x)) return x;
  if (std::isinf(x)) return x > 0 ? 0 : kInfinity;
  if (x < kNormalTail) return -x / normal_tail_series(x);
  return kInvSqrtTwoPi * std::exp(-0.5 * x * x) / normal_cdf(x);
}

double log1p_ratio(double x) {
  if (x == 0) return 1;
  if (x == kInfinity) return 0;
  return std::log1p(x) / x;
}

double log1p_ratio_slope(double x) {
  if (x == kInfinity) return 0;
  return -1 / (1 + x) - log1pmx_ratio(x);
}

double log_expm1_ratio(double x) {
  if (std::abs(x) < 0.05) {  // ½x + log(sinh(½x)/(½x))
    const double w = x * x;
    return 0.5 * x + w * (1. / 24 + w * (-1. / 2880 + w * (1. / 181440 - w / 9676800)));
  }
  return x > 0 ? x + std::log(-std::expm1(-x) / x) : std::log(std::expm1(x) / x);
}

double log_expm1_ratio_slope(double x) {
  if (std::abs(x) < 0.05) {
    const double w = x * x;
    return 0.5 + x * (1. / 12 + w * (-1. / 720 + w * (1. / 30240 - w / 1209600)));
  }
  return -1 / std::expm1(-x) - 1 / x;
}

double stirling_error(double x) {
  if (x >= kStirlingFrom) return stirling_remainder(x);
  return lgamma(x) - ((x - 0.5) * std::log(x) - x + kLogSqrtTwoPi);
}

double stirling_error_slope(double x) {
  if (x >= kStirlingFrom) return digamma_remainder(x) - 1 / (12 * x) / x;
  return digamma(x) - std::log(x) + 0.5 / x;
}

double log_rising(double x, double n) {
  if (n == 0) return 0;
  if (is_small_count(n)) {
    double sum = 0, product = 1;
    for (double i = 0; i < n; ++i) {
      if (!(product < 1e140)) sum += std::log(product), product = 1;
      product *= x + i;
    }
    return sum + std::log(product);
  }
  if (x >= kStirlingFrom && x + n >= kStirlingFrom) {
    const double slope = (x - 0.5) * std::log1p(n / x) + n * (std::log(x + n) - 1);
    return slope + (stirling_remainder(x + n) - stirling_remainder(x));
  }
  return lgamma(x + n) - lgamma(x);
}

double log_multichoose(double x, double n) {
  if (n < x || n <= kFewFactors) return log_rising(x, n) - lgamma(n + 1);
  return log_rising(n + 1, x - 1) - lgamma(x);
}

double digamma_difference(double x, double n) {
  if (n == 0) return 0;
  if (is_small_count(n)) {
    double sum = 0;
    for (double i = 0; i < n; ++i) sum += 1 / (x + i);
    return sum;
  }
  if (x >= kStirlingFrom && x + n >= kStirlingFrom) {
    const double z = x + n;
    const double ratio = n / x / z;
    return std::log1p(n / x) + 0.5 * ratio + ratio * (1 / x + 1 / z) / 12 +
           (digamma_remainder(z) - digamma_remainder(x));
  }
  return digamma(x + n) - digamma(x);
}

double sum_log1p(double a, double n) {
  if (a == 0 || n == 0) return a + n < kInfinity ? 0 : kNaN;
  if (!(a > 0) || !(n > 0)) return kNaN;
  if (is_small_count(n) && a < 1e140) {
    double sum = 0, excess = 0;  // excess: the product so far, minus 1
    for (double i = 1; i < n; ++i) {
      if (excess > 1e140) sum += std::log1p(excess), excess = 0;
      excess += i * a + excess * (i * a);
    }
    return sum + std::log1p(excess);
  }
  const double r = 1 / a;
  if (r < kStirlingFrom) return lgamma(n + r) - lgamma(r) + n * std::log(a);
  const double z = n * a;
  const double log_z = std::log1p(z);
  // r·((1 + z) log(1 + z) − z), in a form without cancellation for small z.
  const double main = n * (z * log1pmx_ratio(z) + log_z);
  const double first = -n / (12 * r * (r + n));
  const auto rest = [](double at) { return stirling_remainder(at) - 1 / (12 * at); };
  return main - 0.5 * log_z + first + (rest(r + n) - rest(r));
}

double sum_log1p_slope(double a, double n) {
  if (n == 0) return 0;
  if (!(a >= 0) || !(n > 0)) return kNaN;
  if (is_small_count(n)) {
    double sum = 0;
    for (double i = 1; i < n; ++i) sum += i / (1 + i * a);
    return sum;
  }
  if (a == 0) return 0.5 * n * (n - 1);
  const double r = 1 / a;
  if (r < kStirlingFrom) return r * (n - r * (digamma(n + r) - digamma(r)));
  const double share = r / (r + n);
  const double first = -0.5 * n * share - n * (share + 1) / 12 * (1 / (r + n));
  const double rest = (digamma_remainder(r + n) - digamma_remainder(r)) * r * r;
  return -n * n * log1pmx_ratio(n * a) + first - (r < 1e6 ? rest : 0);
}

}  // namespace softwood::loss
