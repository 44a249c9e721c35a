#include "loss/constants/units.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "loss/constants/constant_fit.h"
#include "loss/constants/constant_start.h"
#include "loss/constants/location_output.h"
#include "loss/constants/weighted_rows.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using loss::WeightedRows;

constexpr double kLogUnit = 0.3;          // log scales: counts and amounts
constexpr double kLogitUnit = 1;          // classification
constexpr double kLeastVariation = 1e-6;  // of a response, where all are equal
constexpr double kWidthsPerUnit = 3;
constexpr double kLeastUnit = std::numeric_limits<double>::epsilon();
/// What the gradients' size may be, so that neither it nor its inverse, times rows, overflows.
constexpr double kLargestScale = 1e290;

std::size_t count_distinct_up_to(const std::vector<double>& values, std::size_t limit) {
  std::vector<double> seen;
  for (const double value : values) {
    if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
    seen.push_back(value);
    if (seen.size() >= limit) break;
  }
  return seen.size();
}

/// Of the gradients in g; infinite or 0 where that is beyond doubles.
double rms_of_gradients(const LossProgram& program, const WeightedRows& rows, const Units& units) {
  std::vector<double> sizes = loss::rms_gradients(program, rows, units.offset);
  for (std::size_t k = 0; k < sizes.size(); ++k) sizes[k] *= units.unit[k];
  const double largest = *std::max_element(sizes.begin(), sizes.end());
  if (!(largest > 0) || !std::isfinite(largest)) return largest;
  for (double& size : sizes) size /= largest;
  return largest * loss::norm(sizes) / std::sqrt(static_cast<double>(sizes.size()));
}

/// 1 where there is nothing to learn. Throws Error if learning would drown in over- or underflow.
double loss_scale_of(const LossProgram& program, const WeightedRows& rows, const Units& units) {
  const double rms = rms_of_gradients(program, rows, units);
  if (rms >= 1 / kLargestScale && rms <= kLargestScale) return rms;
  const std::string advice = loss::advice_on_scale(rows);
  if (loss::weighted_moments(rows).sd > 0 && !advice.empty())
    throw Error(fmt::format("the loss '{}' cannot tell these responses apart: {}",
                            program.source().name, advice));
  return 1;
}

}  // namespace

Units find_units(const LossProgram& program, const LossData& data, std::span<const double> weights,
                 const std::function<void()>& checkpoint) {
  WeightedRows rows = WeightedRows::with_response(data, weights);
  if (rows.size() == 0) {
    throw Error(weights.empty()
                    ? "no row has a response: there is nothing to learn from."
                    : "no row that has a response has a weight that counts beside the others': "
                      "there is nothing to learn from.");
  }
  const std::size_t num_outputs = program.outputs().size();
  const bool classes = program.uses_classes() || count_distinct_up_to(rows.y, 3) <= 2;
  // The spread of equal responses would have no end downwards.
  if (loss::weighted_moments(rows).sd == 0 && !program.uses_classes())
    rows = rows.varied(kLeastVariation);
  const double sd = loss::weighted_moments(rows).sd;
  if (std::isinf(sd)) {
    throw Error(
        "the responses differ by more than the largest number that a double holds: divide them.");
  }
  Units units{.offset = {},
              .unit = std::vector<double>(num_outputs, classes ? kLogitUnit : kLogUnit)};
  loss::ConstantFit fit{.scale = std::vector<double>(num_outputs, 1),
                        .is_location = std::vector<bool>(num_outputs)};
  for (std::size_t k = 0; k < num_outputs; ++k) {
    fit.is_location[k] =
        program.outputs()[k].has_unit_of_response || loss::is_location(program, k, rows);
    if (fit.is_location[k]) units.unit[k] = fit.scale[k] = sd > 0 ? sd : kLeastVariation;
  }
  const loss::Constants constants = loss::fit_constants(program, rows, fit, checkpoint);
  units.offset = constants.f;
  for (std::size_t k = 0; k < num_outputs; ++k) {
    // Rows that want to move by far less than a unit would be overrun by its steps.
    if (!fit.is_location[k] && constants.width[k] > 0)
      units.unit[k] = std::clamp(kWidthsPerUnit * constants.width[k], kLeastUnit, units.unit[k]);
    if (program.outputs()[k].unit) units.unit[k] = *program.outputs()[k].unit;
  }
  units.loss_scale = loss_scale_of(program, rows, units);
  return units;
}

}  // namespace softwood
