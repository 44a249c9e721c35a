#include "train/thin/knot_weights.h"

#include <algorithm>
#include <numeric>

namespace softwood {
namespace {

/// All knots together, beside the rows.
constexpr double kShareOfAllKnots = 0.02;

std::vector<double> weights_of(const ColumnBasis& basis, std::span<const float> positions,
                               std::span<const std::uint32_t> rows) {
  const std::size_t num_knots = basis.num_knots;
  std::vector<double> weights(num_knots, 0.0);
  for (const std::uint32_t row : rows) {
    const double position = basis.position(static_cast<double>(positions[row]));
    const std::size_t knot =
        std::min(static_cast<std::size_t>(std::max(position, 0.0)), num_knots - 1);
    const double part = position - static_cast<double>(knot);
    weights[knot] += 1 - part;
    if (part > 0 && knot + 1 < num_knots) weights[knot + 1] += part;
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) {
    weight = (total > 0 ? (1 - kShareOfAllKnots) * weight / total : 0) +
             kShareOfAllKnots / static_cast<double>(num_knots);
  }
  return weights;
}

}  // namespace

KnotWeights knot_weights(const std::vector<ColumnBasis>& columns, const ChosenRows& chosen) {
  KnotWeights weights;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const std::size_t source = columns[column].source.value_or(static_cast<std::uint32_t>(column));
    const bool has_knots = columns[column].kind != ColumnBasis::Kind::linear;
    weights.push_back(has_knots
                          ? weights_of(columns[column], chosen.positions.row(source), chosen.rows)
                          : std::vector<double>{});
  }
  return weights;
}

}  // namespace softwood
