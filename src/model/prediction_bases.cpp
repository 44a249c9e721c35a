#include "model/prediction_bases.h"

#include <cmath>

namespace softwood {

ColumnBasis prediction_basis(const EncodedColumn& column, const ColumnScale& scale) {
  ColumnBasis basis;
  basis.source = scale.column;
  basis.num_knots = scale.is_coarse ? column.coarse.size() + 1 : column.num_knots();
  if (scale.is_coarse) basis.scale = coarse_positions(column);
  switch (column.kind) {
    case EncodedColumn::Kind::curve:
      basis.kind = ColumnBasis::Kind::curve;
      basis.slope.assign(basis.num_knots - 1, 0.0F);
      break;
    case EncodedColumn::Kind::levels:
      basis.kind = ColumnBasis::Kind::levels;
      break;
    case EncodedColumn::Kind::linear:
      basis.kind = ColumnBasis::Kind::linear;
      break;
  }
  basis.mean.assign(basis.num_parameters(), 0.0F);
  return basis;
}

namespace {

/// Halves keep a scale wider than the largest double finite.
std::vector<double> places_of(const EncodedColumn& column, bool is_coarse) {
  std::vector<double> edges;
  if (is_coarse) {
    for (const std::uint32_t edge : column.coarse) edges.push_back(column.edges[edge]);
  } else {
    edges = column.edges;
  }
  const bool is_wide = !std::isfinite(edges.back() - edges.front());
  const double part = is_wide ? 0.5 : 1;
  const double first = edges.front() * part, width = edges.back() * part - first;
  for (double& edge : edges) edge = (edge * part - first) / width;
  return edges;
}

}  // namespace

KnotPlaces knot_places(const Encoder& encoder) {
  KnotPlaces places;
  for (const ColumnScale& scale : encoder.scales()) {
    const EncodedColumn& column = encoder.columns()[scale.column];
    const bool is_curve = column.kind == EncodedColumn::Kind::curve;
    places.push_back(is_curve ? places_of(column, scale.is_coarse) : std::vector<double>{});
  }
  return places;
}

std::vector<ColumnBasis> prediction_bases(const Encoder& encoder) {
  std::vector<ColumnBasis> bases;
  for (const ColumnScale& scale : encoder.scales())
    bases.push_back(prediction_basis(encoder.columns()[scale.column], scale));
  return bases;
}

}  // namespace softwood
