#pragma once

#include <cassert>
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
  /// `by_row`: for trees that rows may skip parts of; numbers lie row by row, and columns beside
  /// them if the batch is sortable.
  Batch(std::span<const ColumnBasis> columns, std::size_t max_rows, bool sortable = true,
        bool by_row = false);
  /// As the kernels want it for an ensemble of this shape, which must outlive the batch.
  explicit Batch(const EnsembleShape& shape, std::size_t max_rows, bool sortable = true)
      : Batch(shape.columns, max_rows, sortable, shape.skips()) {}

  /// At most the capacity. Every column must be loaded again.
  void resize(std::size_t num_rows);
  std::size_t num_rows() const { return num_rows_; }
  std::size_t num_columns() const { return columns_.size(); }

  /// Takes column `column` from its source in `positions` [sources × all rows] at `rows` (size
  /// num_rows()). `sorted`: also what the backward pass needs. A NaN gives NaN scores, never a
  /// wrong read. Of a batch that is by_row(): the sorted column, or else the column of every row.
  void load_column(std::size_t column, MatrixView<const float> positions,
                   std::span<const std::uint32_t> rows, bool sorted);
  /// Rows first … first + num_rows() − 1; unsorted for prediction.
  void load_column(std::size_t column, MatrixView<const float> positions, std::size_t first,
                   bool sorted = false);

  /// Only if by_row(): rows begin … end − 1 of the batch, some columns of them, from `rows` (size
  /// num_rows()) of `positions`. Several threads may load different rows at once.
  void load_rows(std::span<const std::size_t> columns, MatrixView<const float> positions,
                 std::span<const std::uint32_t> rows, std::size_t begin, std::size_t end);
  /// Only if by_row(): rows first … first + num_rows() − 1 of `positions`.
  void load_rows(std::span<const std::size_t> columns, MatrixView<const float> positions,
                 std::size_t first);
  bool by_row() const { return by_row_; }

  /// Each row's interval times kLanes, so that it is an offset into a block's knots.
  const std::uint32_t* offsets(std::size_t column) const {
    return offsets_.data() + column * stride_;
  }
  /// Each row's fraction, or its value in a linear column.
  const float* fractions(std::size_t column) const { return fractions_.data() + column * stride_; }
  /// The same of one row, column by column, if the batch is by_row().
  const std::uint32_t* row_offsets(std::size_t row) const {
    assert(by_row_);
    return row_offsets_.data() + row * row_stride_;
  }
  const float* row_fractions(std::size_t row) const {
    assert(by_row_);
    return row_fractions_.data() + row * row_stride_;
  }

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
  /// Rows of the batch.
  struct RowRange {
    std::size_t begin, end;
  };
  /// Where a column's numbers go: row · step from here.
  struct Place {
    std::uint32_t* offsets;
    float* fractions;
    std::size_t step;
  };
  template <class RowAt>
  void load_rows_in_tiles(std::span<const std::size_t> columns, MatrixView<const float> positions,
                          RowRange range, RowAt row_at);
  template <class RowAt>
  void split_positions(std::size_t column, std::span<const float> positions, RowRange range,
                       RowAt row_at, const Place& to);
  template <class PositionAt>
  void split(std::size_t column, RowRange range, PositionAt position_at, const Place& to);
  Place in_column(std::size_t column) {
    return {offsets_.data() + column * stride_, fractions_.data() + column * stride_, 1};
  }
  Place in_rows(std::size_t column) {
    return {row_offsets_.data() + column, row_fractions_.data() + column, row_stride_};
  }
  void sort_by_interval(std::size_t column);

  std::span<const ColumnBasis> columns_;
  std::size_t max_rows_;
  bool by_row_;
  std::size_t stride_, row_stride_;
  std::size_t num_rows_ = 0;
  AlignedVector<std::uint32_t> offsets_, sorted_rows_;  // [column][stride_]
  AlignedVector<float> fractions_, sorted_fractions_;   // [column][stride_]
  AlignedVector<std::uint32_t> row_offsets_;            // [row][row_stride_]
  AlignedVector<float> row_fractions_;                  // [row][row_stride_]
  std::vector<std::uint32_t> starts_;                   // of all knot columns, one after another
  std::vector<std::size_t> first_start_;                // [column]
};

}  // namespace softwood
