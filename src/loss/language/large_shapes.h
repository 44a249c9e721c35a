#pragma once

namespace softwood::loss {

/// From this shape on (for beta: of both) the expansions below are exact to some 1e-12, while
/// series and continued fractions need as many terms as the shape has root, up to a million, and
/// then give up.
constexpr double kLargeGammaShape = 1e6;
constexpr double kLargeBetaShape = 1e9;

/// P(a, x), or with `upper` 1 − P, for a ≥ kLargeGammaShape and x ≥ 0, both finite.
double gamma_of_large_shape(double a, double x, bool upper);

/// I_x(a, b), or with `upper` 1 − I, for finite a, b ≥ kLargeBetaShape and 0 ≤ x ≤ 1.
double beta_of_large_shapes(double a, double b, double x, bool upper);

}  // namespace softwood::loss
