#include "linear/linear_features.h"

#include "data/encoder/input_scale.h"

namespace softwood {
namespace {

std::size_t num_features(const EncodedColumn& column) {
  switch (column.kind) {
    case EncodedColumn::Kind::curve:
      return 2;
    case EncodedColumn::Kind::levels:
      return column.num_knots();
    case EncodedColumn::Kind::linear:
      break;
  }
  return 1;
}

}  // namespace

LinearFeatures::LinearFeatures(std::span<const EncodedColumn> columns) {
  for (const EncodedColumn& encoded : columns) {
    Column& column = columns_.emplace_back(
        Column{.kind = encoded.kind, .first = size_, .count = num_features(encoded)});
    size_ += column.count;
    if (encoded.kind != EncodedColumn::Kind::curve) continue;
    for (const double edge : encoded.edges)
      column.edges.push_back(linear_place(encoded, edge).position);
  }
}

}  // namespace softwood
