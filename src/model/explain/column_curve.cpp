#include "model/explain/column_curve.h"

#include <cassert>
#include <cmath>

#include "model/explain/spread.h"

namespace softwood {
namespace {

/// A basis that has a scale of its own sees the coarse edges alone.
std::vector<double> edges_of(const EncodedColumn& column, const ColumnBasis& basis) {
  if (basis.scale.empty()) return column.edges;
  std::vector<double> edges;
  for (const std::uint32_t edge : column.coarse) edges.push_back(column.edges[edge]);
  return edges;
}

}  // namespace

ColumnCurve column_curve(const EncodedColumn& column, const ColumnBasis& basis,
                         std::span<const double> knots) {
  ColumnCurve curve{.column = column.source, .part = column.part};
  switch (column.kind) {
    case EncodedColumn::Kind::curve:
      curve.edges = edges_of(column, basis);
      assert(knots.size() == curve.edges.size() + 1);
      curve.values.assign(knots.begin(), knots.end() - 1);
      break;
    case EncodedColumn::Kind::levels:
      curve.kind = ColumnCurve::Kind::levels;
      curve.levels = column.levels;
      curve.values.assign(knots.begin(), knots.end() - 2);
      curve.other = knots[knots.size() - 2];
      break;
    case EncodedColumn::Kind::linear:
      curve.kind = ColumnCurve::Kind::linear;
      curve.slope = knots[0] / column.sd;
      curve.centre = column.mean;
      curve.strength = std::abs(knots[0]);  // the standardised column varies by 1
      return curve;
  }
  curve.missing = knots.back();
  if (!curve.values.empty()) curve.strength = std::sqrt(variance_of(curve.values));
  return curve;
}

}  // namespace softwood
