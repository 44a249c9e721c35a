#include "loss/units.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "loss/constant_fit.h"
#include "loss/weighted_rows.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using loss::WeightedRows;

constexpr double kLogUnit = 0.3;  // log scales: counts and amounts
constexpr double kLogitUnit = 1;  // classification
constexpr std::size_t kProbes = 32;

struct Moments {
  double mean = 0;
  double sd = 0;
};
Moments weighted_moments(const WeightedRows& rows) {
  Moments moments;
  for (std::size_t i = 0; i < rows.size(); ++i) moments.mean += rows.weights[i] * rows.y[i];
  moments.mean /= rows.total_weight;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    moments.sd += rows.weights[i] * (rows.y[i] - moments.mean) * (rows.y[i] - moments.mean);
  }
  moments.sd = std::sqrt(moments.sd / rows.total_weight);
  return moments;
}

std::size_t count_distinct_up_to(const std::vector<double>& values, std::size_t limit) {
  std::vector<double> seen;
  for (const double value : values) {
    if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
    seen.push_back(value);
    if (seen.size() >= limit) break;
  }
  return seen.size();
}

/// The loss of each probe row with y and one output shifted together.
std::vector<double> shifted_losses(const LossProgram& program, std::size_t output,
                                   const WeightedRows& rows, double scale, double shift) {
  const std::size_t count = rows.size();
  std::vector<double> y(count), losses(count), f(program.outputs().size() * count, 0.25);
  for (std::size_t i = 0; i < count; ++i) {
    // Residuals of all sizes and both signs, a few of the response's own.
    const double residual = scale * (static_cast<double>(i % 7) - 2.9) * 0.7;
    y[i] = rows.y[i] + shift;
    f[output * count + i] = rows.y[i] + residual + shift;
  }
  const MatrixView<const double> view(f.data(), program.outputs().size(), count);
  program.value({.y = y, .columns = rows.data().columns}, view, losses);
  return losses;
}

double rms_of_gradients(const LossProgram& program, const WeightedRows& rows, const Units& units) {
  const std::vector<double> gradients =
      loss::weighted_square_gradients(program, rows, units.offset);
  double sum = 0;
  for (std::size_t k = 0; k < gradients.size(); ++k)
    sum += gradients[k] * units.unit[k] * units.unit[k];
  return std::sqrt(sum / static_cast<double>(gradients.size()));
}

bool is_location(const LossProgram& program, std::size_t output, const WeightedRows& all) {
  if (program.uses_classes()) return false;
  const WeightedRows rows = all.every_nth_up_to(kProbes);
  const double sd = weighted_moments(all).sd;
  const double scale = sd > 0 ? sd : 1;
  const std::vector<double> before = shifted_losses(program, output, rows, scale, 0);
  const double typical = loss::median_of_finite_magnitudes(before);
  if (!(*std::max_element(before.begin(), before.end()) >
        *std::min_element(before.begin(), before.end()))) {
    return false;
  }
  for (const double shift : {0.37 * scale, -1.9 * scale, 4.3 * scale}) {
    const std::vector<double> after = shifted_losses(program, output, rows, scale, shift);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!(std::abs(after[i] - before[i]) <= 1e-7 * (std::abs(before[i]) + typical))) return false;
    }
  }
  return true;
}

}  // namespace

bool is_location_output(const LossProgram& program, std::size_t output, const LossData& data) {
  return is_location(program, output, WeightedRows::with_response(data, {}));
}

Units find_units(const LossProgram& program, const LossData& data,
                 std::span<const double> weights) {
  const WeightedRows rows = WeightedRows::with_response(data, weights);
  if (rows.size() == 0) throw Error("no row has a response: there is nothing to learn from.");
  const std::size_t num_outputs = program.outputs().size();
  const bool classes = program.uses_classes() || count_distinct_up_to(rows.y, 3) <= 2;
  const Moments moments = weighted_moments(rows);
  Units units{.offset = {},
              .unit = std::vector<double>(num_outputs, classes ? kLogitUnit : kLogUnit)};
  loss::ConstantFit fit{.scale = std::vector<double>(num_outputs, 1),
                        .is_location = std::vector<bool>(num_outputs)};
  for (std::size_t k = 0; k < num_outputs; ++k) {
    fit.is_location[k] = program.outputs()[k].has_unit_of_response || is_location(program, k, rows);
    if (fit.is_location[k]) units.unit[k] = fit.scale[k] = moments.sd > 0 ? moments.sd : 1;
    if (program.outputs()[k].unit) units.unit[k] = *program.outputs()[k].unit;
  }
  units.offset = loss::fit_constants(program, rows, fit);
  const double rms = rms_of_gradients(program, rows, units);
  units.loss_scale = rms > 0 && std::isfinite(rms) ? rms : 1;
  return units;
}

}  // namespace softwood
