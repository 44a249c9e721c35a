#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace softwood {

/// The edges of one curve, in the order in which they are best left out, and what each costs.
struct CurveThinning {
  /// All edges but the one that stays last. The line between their neighbours stands for those that
  /// are left out; of the last two that stay, the first alone: the curve is constant.
  std::vector<std::uint16_t> order;
  /// After order[0 … i] are left out, about the weighted mean of the squared error that least
  /// squares leave. Ascending.
  std::vector<float> errors;

  /// How many may go for an error of at most `most`.
  std::size_t count(double most) const;
};

/// `places` ascend, `weights` > 0 add up to 1. At least two edges.
CurveThinning thin_curve(std::span<const double> places, std::span<const double> weights,
                         std::span<const float> values);

/// The values at the `kept` edges (ascending) with which the curve through them comes closest to
/// `values`, by weighted least squares. As fill_in() draws it: constant beyond the outermost.
std::vector<double> fitted_values(std::span<const double> places, std::span<const double> weights,
                                  std::span<const float> values, std::span<const std::size_t> kept);

}  // namespace softwood
