#include "model/prediction_bases.h"

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

std::vector<ColumnBasis> prediction_bases(const Encoder& encoder) {
  std::vector<ColumnBasis> bases;
  for (const ColumnScale& scale : encoder.scales())
    bases.push_back(prediction_basis(encoder.columns()[scale.column], scale));
  return bases;
}

}  // namespace softwood
