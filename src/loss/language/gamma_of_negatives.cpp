#include "loss/language/gamma_of_negatives.h"

#include <cmath>
#include <limits>

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include "loss/language/quiet_policy.h"

namespace softwood::loss {
namespace {

namespace bm = boost::math;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// Nearer to 0 than this 1/x or 1/x² is all there is.
constexpr double kNearZero = -1e-9;

bool is_whole(double x) {
  return x == std::floor(x);
}

}  // namespace

double lgamma_of_negative(double x) {
  return is_whole(x) ? kInfinity : bm::lgamma(x, kQuiet);
}

double digamma_of_negative(double x) {
  return is_whole(x) ? kNaN : bm::digamma(x, kQuiet);
}

double trigamma_of_negative(double x) {
  if (is_whole(x)) return kInfinity;
  return x > kNearZero ? 1 / x / x : bm::trigamma(x, kQuiet);
}

}  // namespace softwood::loss
