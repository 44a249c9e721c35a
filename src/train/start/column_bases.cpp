#include "train/start/column_bases.h"

#include <algorithm>

#include "model/prediction_bases.h"

namespace softwood {
namespace {

/// Mean of each level's indicator: its share of the rows.
std::vector<float> level_means(std::size_t num_levels, std::span<const float> positions) {
  std::vector<double> counts(num_levels, 0);
  for (const float position : positions) ++counts[static_cast<std::size_t>(position)];
  std::vector<float> means;
  for (const double count : counts) {
    means.push_back(static_cast<float>(count / static_cast<double>(positions.size())));
  }
  return means;
}

/// Means of a curve's features: slope (centred already), how full each bin is, missing.
std::vector<float> curve_means(std::size_t num_bins, std::span<const float> positions) {
  const std::size_t missing = num_bins + 1;
  // A row in bin k at fraction t fills bins before k wholly and bin k by t.
  std::vector<double> whole(num_bins + 1, 0), part(num_bins + 1, 0);
  double num_missing = 0;
  for (const float position : positions) {
    if (position >= static_cast<float>(missing)) {
      ++num_missing;
      continue;
    }
    const auto bin = static_cast<std::size_t>(position);
    ++whole[bin];
    part[bin] += position - static_cast<float>(bin);
  }
  const double present = std::max(1.0, static_cast<double>(positions.size()) - num_missing);
  std::vector<float> means(num_bins + 2, 0.0F);
  double beyond = whole[num_bins];
  for (std::size_t bin = num_bins; bin-- > 0;) {
    means[bin + 1] = static_cast<float>((beyond + part[bin]) / present);
    beyond += whole[bin];
  }
  means[missing] = static_cast<float>(num_missing / static_cast<double>(positions.size()));
  return means;
}

/// Slopes and means of a curve on the scale of `edges`.
void add_curve(ColumnBasis& basis, const EncodedColumn& column, const std::vector<double>& edges,
               std::span<const float> positions) {
  basis.mean = curve_means(edges.size() - 1, positions);
  basis.slope.clear();
  for (const double edge : edges) {
    basis.slope.push_back(static_cast<float>((edge - column.mean) / column.sd));
  }
}

void add_coarse_curve(ColumnBasis& basis, const EncodedColumn& column,
                      std::span<const float> positions) {
  std::vector<double> edges;
  for (const std::uint32_t edge : column.coarse) edges.push_back(column.edges[edge]);
  std::vector<float> coarse;
  coarse.reserve(positions.size());
  for (const float position : positions) coarse.push_back(basis.position(position));
  add_curve(basis, column, edges, coarse);
}

}  // namespace

ColumnBasis column_basis(const EncodedColumn& column, bool coarse,
                         std::span<const float> positions) {
  ColumnBasis basis = prediction_basis(column, {.is_coarse = coarse});
  basis.source.reset();
  if (column.kind == EncodedColumn::Kind::levels) {
    basis.mean = level_means(column.num_knots(), positions);
  } else if (column.kind == EncodedColumn::Kind::curve && coarse) {
    add_coarse_curve(basis, column, positions);
  } else if (column.kind == EncodedColumn::Kind::curve) {
    add_curve(basis, column, column.edges, positions);
  }
  return basis;
}

std::vector<ColumnBasis> column_bases(const Encoder& encoder, const ChosenRows& training) {
  std::vector<ColumnBasis> bases;
  std::vector<float> chosen(training.rows.size());
  for (const ColumnScale& scale : encoder.scales()) {
    const std::span<const float> all = training.positions.row(scale.column);
    for (std::size_t row = 0; row < chosen.size(); ++row) chosen[row] = all[training.rows[row]];
    bases.push_back(column_basis(encoder.columns()[scale.column], scale.is_coarse, chosen));
    bases.back().source = scale.column;
  }
  return bases;
}

}  // namespace softwood
