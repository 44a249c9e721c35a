#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_vector.h"
#include "base/views.h"
#include "tree/ensemble.h"

namespace softwood {

/// Some rows, column by column, as the kernels read them: for a knot column each row's interval k
/// (0 … num_knots − 2) and fraction t in [0, 1], φ = (1 − t)·V[k] + t·V[k + 1]; for a linear column
/// the value. For the backward pass also the rows counting-sorted by interval. Columns are loaded
/// one by one, so several threads may load different columns at once.
class Batch {
 public:
  /// `columns`: of the ensemble; borrowed, must outlive the batch. `max_rows`: capacity.
  /// `sortable` = false saves the memory of the sorted rows: for prediction.
  Batch(std::span<const ColumnBasis> columns, std::size_t max_rows, bool sortable = true);

  /// At most the capacity. Every column must be loaded again.
  void resize(std::size_t num_rows);
  std::size_t num_rows() const { return num_rows_; }
  std::size_t num_columns() const { return columns_.size(); }

  /// Takes column `column` from its source in `positions` [sources × all rows] at `rows` (size
  /// num_rows()). `sorted`: also what the backward pass needs. A NaN gives NaN scores, never a
  /// wrong read.
  void load_column(std::size_t column, MatrixView<const float> positions,
                   std::span<const std::uint32_t> rows, bool sorted);
  /// Rows first … first + num_rows() − 1; unsorted for prediction.
  void load_column(std::size_t column, MatrixView<const float> positions, std::size_t first,
                   bool sorted = false);

  /// Each row's interval times kLanes, so that it is an offset into a block's knots.
  const std::uint32_t* offsets(std::size_t column) const {
    return offsets_.data() + column * stride_;
  }
  /// Each row's fraction, or its value in a linear column.
  const float* fractions(std::size_t column) const { return fractions_.data() + column * stride_; }

  /// The rows of interval k are sorted_rows(column)[starts(column)[k] … starts(column)[k + 1] − 1],
  /// ascending; their fractions stand at the same places. starts: num_knots entries.
  const std::uint32_t* starts(std::size_t column) const {
    return starts_.data() + first_start_[column];
  }
  const std::uint32_t* sorted_rows(std::size_t column) const {
    return sorted_rows_.data() + column * stride_;
  }
  const float* sorted_fractions(std::size_t column) const {
    return sorted_fractions_.data() + column * stride_;
  }

 private:
  std::span<const float> source_row(MatrixView<const float> positions, std::size_t column) const;
  template <class RowAt>
  void split_positions(std::size_t column, std::span<const float> positions, RowAt row_at);
  template <class PositionAt>
  void split(std::size_t column, PositionAt position_at);
  void sort_by_interval(std::size_t column);

  std::span<const ColumnBasis> columns_;
  std::size_t max_rows_;
  std::size_t stride_;
  std::size_t num_rows_ = 0;
  AlignedVector<std::uint32_t> offsets_, sorted_rows_;  // [column][stride_]
  AlignedVector<float> fractions_, sorted_fractions_;   // [column][stride_]
  std::vector<std::uint32_t> starts_;                   // of all knot columns, one after another
  std::vector<std::size_t> first_start_;                // [column]
};

}  // namespace softwood
