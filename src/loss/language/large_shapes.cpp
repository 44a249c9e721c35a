#include "loss/language/large_shapes.h"

#include <cmath>
#include <numbers>

#include <boost/math/special_functions/log1p.hpp>

#include "loss/language/quiet_policy.h"

// Temme's uniform expansions (DLMF 8.12 and 8.18(ii)): a normal distribution at η √size, and a
// correction. ½ η² is how improbable x is, η has the sign of its distance from the middle. Shapes
// are so large that all that is not 0 or 1 has |η| < 0.04, where a few powers of η are enough.
namespace softwood::loss {
namespace {

constexpr double kNothing = 750;  // e^−750 is less than the least double

/// log(1 + x) − x, which loses no digits near 0.
double log1p_less_x(double x) {
  return boost::math::log1pmx(x, kQuiet);
}

/// `exponent` = ½ η² size; `correction` is what comes off above, and is added below.
double around_normal(double exponent, bool is_above, double correction, double size, bool upper) {
  if (!(exponent < kNothing)) return is_above == upper ? 0 : 1;
  const double rest = std::exp(-exponent) / std::sqrt(2 * std::numbers::pi * size) * correction;
  const double place = is_above == upper ? std::sqrt(exponent) : -std::sqrt(exponent);
  return std::erfc(place) / 2 + (upper ? -rest : rest);
}

}  // namespace

double gamma_of_large_shape(double a, double x, bool upper) {
  const double distance = (x - a) / a;
  const double half_square = -log1p_less_x(distance);
  const double eta = std::copysign(std::sqrt(2 * half_square), distance);
  const double first =
      1.0 / 3 -
      eta * (1.0 / 12 -
             eta * (2.0 / 135 - eta * (1.0 / 864 + eta * (1.0 / 2835 - eta * (139.0 / 777600)))));
  const double second = 1.0 / 540 + eta * (1.0 / 288 - eta / 378);
  return around_normal(a * half_square, distance > 0, first + second / a, a, upper);
}

double beta_of_large_shapes(double a, double b, double x, bool upper) {
  const double size = a + b, middle = a / size, other = b / size;
  const double distance = x - middle;
  const double half_square =
      -middle * log1p_less_x(distance / middle) - other * log1p_less_x(-distance / other);
  const double sd = std::sqrt(middle * other);
  // Nearer to the middle than this the difference would have no digits.
  const double eta = std::copysign(std::sqrt(2 * half_square), distance);
  const bool is_near = std::abs(eta) * std::sqrt(size) < 1e-3;
  const double correction = is_near ? (1 - 2 * middle) / (3 * sd) : 1 / eta - sd / distance;
  return around_normal(size * half_square, distance > 0, correction, size, upper);
}

}  // namespace softwood::loss
