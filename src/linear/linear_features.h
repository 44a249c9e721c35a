#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/even_parts.h"
#include "data/encoder/encoder.h"

namespace softwood {

/// What a linear function reads of encoded rows, column by column:
///   curve   (x − mean) / sd, 0 where x is missing; 1 where it is missing, else 0. x comes back
///   from
///           its position, between the edges; beyond them it is the nearest edge
///   levels  per level, "other" and missing: 1 where the cell is that, else 0
///   linear  the position itself
/// So of each column one feature at most is not zero. None is constant: a bias stands beside them.
class LinearFeatures {
 public:
  explicit LinearFeatures(std::span<const EncodedColumn> columns);

  std::size_t num_columns() const { return columns_.size(); }
  /// Features of all columns.
  std::size_t size() const { return size_; }
  ItemRange of_column(std::size_t column) const {
    return {columns_[column].first, columns_[column].first + columns_[column].count};
  }

  /// The feature of a column that is not zero at a position, its value there, and how fast that
  /// moves with the position. A NaN is missing, never a wrong read.
  struct Place {
    std::size_t feature = 0;
    double value = 0;
    double slope = 0;
  };
  Place place(std::size_t column, double position) const {
    const Column& own = columns_[column];
    switch (own.kind) {
      case EncodedColumn::Kind::curve:
        return curve_place(own, position);
      case EncodedColumn::Kind::levels:
        return {
            own.first + (position >= 0 ? std::min(static_cast<std::size_t>(position), own.count - 1)
                                       : own.count - 1),
            1, 0};
      case EncodedColumn::Kind::linear:
        break;
    }
    return {own.first, position, 1};
  }

 private:
  struct Column {
    EncodedColumn::Kind kind = EncodedColumn::Kind::curve;
    std::size_t first = 0;  // of its features
    std::size_t count = 0;
    std::vector<double> edges{};  // curve: standardised
  };

  static Place curve_place(const Column& column, double position) {
    const std::size_t last = column.edges.size() - 1;
    if (!(position <= static_cast<double>(last))) return {column.first + 1, 1, 0};
    const std::size_t edge = std::min(static_cast<std::size_t>(std::max(position, 0.0)), last - 1);
    const double step = column.edges[edge + 1] - column.edges[edge];
    return {column.first, column.edges[edge] + (position - static_cast<double>(edge)) * step, step};
  }

  std::vector<Column> columns_;
  std::size_t size_ = 0;
};

}  // namespace softwood
