#include "loss/language/incomplete_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include "loss/language/large_shapes.h"
#include "loss/language/quiet_policy.h"

namespace softwood::loss {
namespace {

namespace bm = boost::math;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// From here on one more digit of b changes nothing: I_x(a, b) is P(a, −b log(1 − x)).
constexpr double kHuge = 1e100;

/// P or Q at the edges of the domain, where Boost gives up; false inside.
bool gamma_edge(double a, double x, bool upper, double& value) {
  if (!(a >= 0) || !(x >= 0)) {
    value = kNaN;
  } else if (std::isinf(a)) {
    value = std::isinf(x) ? kNaN : upper ? 1 : 0;
  } else if (a == 0 || std::isinf(x)) {
    value = upper ? 0 : 1;
  } else {
    return false;
  }
  return true;
}

/// Neither may be infinite, nor their sum.
bool are_large(double a, double b) {
  return std::min(a, b) >= kLargeBetaShape && std::max(a, b) <= kHuge;
}

}  // namespace

double gamma_p(double a, double x) {
  double edge = 0;
  if (gamma_edge(a, x, false, edge)) return edge;
  return a < kLargeGammaShape ? bm::gamma_p(a, x, kQuiet) : gamma_of_large_shape(a, x, false);
}

double gamma_q(double a, double x) {
  double edge = 0;
  if (gamma_edge(a, x, true, edge)) return edge;
  return a < kLargeGammaShape ? bm::gamma_q(a, x, kQuiet) : gamma_of_large_shape(a, x, true);
}

double gamma_p_slope(double a, double x) {
  double edge = 0;
  if (gamma_edge(a, x, false, edge)) return std::isnan(edge) ? edge : 0;
  return bm::gamma_p_derivative(a, x, kQuiet);
}

double beta_p(double a, double b, double x) {
  if (!(a >= 0) || !(b >= 0) || !(x >= 0 && x <= 1)) return kNaN;
  if (b >= kHuge && a < kHuge) return gamma_p(a, -b * std::log1p(-x));
  if (a >= kHuge && b < kHuge) return gamma_q(b, -a * std::log(x));
  if (are_large(a, b)) return beta_of_large_shapes(a, b, x, false);
  return bm::ibeta(a, b, x, kQuiet);
}

double beta_q(double a, double b, double x) {
  if (!(a >= 0) || !(b >= 0) || !(x >= 0 && x <= 1)) return kNaN;
  if (b >= kHuge && a < kHuge) return gamma_q(a, -b * std::log1p(-x));
  if (a >= kHuge && b < kHuge) return gamma_p(b, -a * std::log(x));
  if (are_large(a, b)) return beta_of_large_shapes(a, b, x, true);
  return bm::ibetac(a, b, x, kQuiet);
}

double beta_p_slope(double a, double b, double x) {
  if (!(a > 0) || !(b > 0) || !(x >= 0 && x <= 1)) return kNaN;
  return bm::ibeta_derivative(a, b, x, kQuiet);
}

}  // namespace softwood::loss
