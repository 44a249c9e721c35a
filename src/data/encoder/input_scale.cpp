#include "data/encoder/input_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "softwood/error.h"

namespace softwood {
namespace {

/// Standardised values stay where products with weights are finite.
constexpr double kLargestLinear = 1e30;

ScalePlace level_place(const EncodedColumn& column, double value) {
  const auto num_levels = static_cast<double>(column.levels.size());
  if (std::isnan(value)) return {num_levels + 1, 0};
  if (value == -1) return {num_levels, 0};
  if (value >= 0 && value < num_levels && value == std::floor(value)) return {value, 0};
  throw Error(fmt::format(
      "column '{}' has {} levels: its input is a level's index from 0, -1 for any other level, or "
      "NaN for missing, not {}.",
      column.name(), column.levels.size(), value));
}

}  // namespace

ScalePlace linear_place(const EncodedColumn& column, double value) {
  if (std::isnan(value)) return {0, 0};
  const double standardised = (value - column.mean) / column.sd;
  const double bounded = std::clamp(standardised, -kLargestLinear, kLargestLinear);
  return {bounded, bounded == standardised ? 1 / column.sd : 0};
}

ScalePlace input_place(const EncodedColumn& column, double value) {
  switch (column.kind) {
    case EncodedColumn::Kind::curve:
      return curve_place(column.edges, value);
    case EncodedColumn::Kind::levels:
      return level_place(column, value);
    case EncodedColumn::Kind::linear:
      break;
  }
  return linear_place(column, value);
}

double level_input(const EncodedColumn& column, float position) {
  const auto level = static_cast<std::size_t>(position);
  if (level < column.levels.size()) return static_cast<double>(level);
  return level == column.levels.size() ? -1 : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace softwood
