#include "loss/constants/location_output.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace softwood::loss {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t kProbes = 32;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// Of the losses: they vary by more than their rounding.
constexpr double kLeastVariation = 1e5 * kEpsilon;
/// Of their variation: what counts as no change.
constexpr double kTolerance = 1e-7;

/// A place of the program near the data: residuals of one output that are comparable to the
/// response's spread, the other outputs at one value.
class Probe {
 public:
  Probe(const LossProgram& program, std::size_t output, const WeightedRows& rows, double scale,
        double others)
      : program_(program), output_(output), rows_(rows), scale_(scale), others_(others) {
    double largest = scale;
    for (const double y : rows.y) largest = std::max(largest, std::abs(y));
    // Sums of whole multiples of it are exact: losses differ by the loss alone.
    grid_ = std::max(16 * kEpsilon * largest, std::numeric_limits<double>::min());
    scale_ = std::max(scale, 16 * grid_);
  }

  /// With y and the output shifted together.
  Vector losses(double shift) const {
    const std::size_t count = rows_.size();
    Vector y(count), losses(count), f(program_.outputs().size() * count, others_);
    for (std::size_t i = 0; i < count; ++i) {
      // Of all sizes and both signs.
      const double residual = on_grid(scale_ * (static_cast<double>(i % 7) - 2.9) * 0.7);
      y[i] = on_grid(rows_.y[i]) + on_grid(shift);
      f[output_ * count + i] = y[i] + residual;
    }
    const MatrixView<const double> view(f.data(), program_.outputs().size(), count);
    program_.value({.y = y, .columns = rows_.data().columns}, view, losses);
    return losses;
  }

 private:
  double on_grid(double value) const {
    const double steps = std::round(value / grid_);
    return grid_ * (steps == 0 && value != 0 ? std::copysign(1.0, value) : steps);
  }

  const LossProgram& program_;
  std::size_t output_;
  const WeightedRows& rows_;
  double scale_, others_, grid_;
};

bool all_finite(const Vector& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

bool is_location(const LossProgram& program, std::size_t output, const WeightedRows& all) {
  if (program.uses_classes()) return false;
  const WeightedRows rows = all.every_nth_up_to(kProbes);
  const double sd = weighted_moments(all).sd;
  const double scale = sd > 0 ? sd : 1;
  // Beside a log scale that is far off, a location's effect drowns.
  for (const double others : {0.25, std::log(scale), -std::log(scale)}) {
    const Probe probe(program, output, rows, scale, others);
    const Vector before = probe.losses(0);
    if (!all_finite(before)) continue;
    const auto [least, most] = std::minmax_element(before.begin(), before.end());
    const double variation = *most - *least;
    const double typical = median_of_finite_magnitudes(before);
    if (!(variation > kLeastVariation * typical)) continue;
    for (const double shift : {0.37 * scale, -1.9 * scale, 4.3 * scale}) {
      const Vector after = probe.losses(shift);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double rounding = 64 * kEpsilon * (std::abs(before[i]) + typical);
        if (!(std::abs(after[i] - before[i]) <= kTolerance * variation + rounding)) return false;
      }
    }
    return true;
  }
  return false;
}

}  // namespace softwood::loss
