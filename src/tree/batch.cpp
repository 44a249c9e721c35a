#include "tree/batch.h"

#include <algorithm>
#include <cassert>

#include "tree/kernels/kernel_sizes.h"

namespace softwood {
Batch::Batch(std::span<const ColumnBasis> columns, std::size_t max_rows, bool sortable)
    : columns_(columns),
      max_rows_(max_rows),
      stride_(padded_stride(max_rows)),
      offsets_(columns.size() * stride_),
      sorted_rows_(sortable ? columns.size() * stride_ : 0),
      fractions_(columns.size() * stride_),
      sorted_fractions_(sortable ? columns.size() * stride_ : 0) {
  std::size_t total = 0;
  for (const ColumnBasis& basis : columns) {
    first_start_.push_back(total);
    total += basis.num_knots;
  }
  starts_.resize(sortable ? total : 0);
}

void Batch::resize(std::size_t num_rows) {
  assert(num_rows <= max_rows_);
  num_rows_ = num_rows;
}

template <class RowAt>
void Batch::split_positions(std::size_t column, std::span<const float> positions, RowAt row_at) {
  if (columns_[column].kind == ColumnBasis::Kind::linear) {
    float* const values = fractions_.data() + column * stride_;
    std::size_t i = 0;
    for (; i + 4 <= num_rows_; i += 4) {  // several reads at once that miss the cache
      const float some[] = {positions[row_at(i)], positions[row_at(i + 1)],
                            positions[row_at(i + 2)], positions[row_at(i + 3)]};
      std::copy_n(some, 4, values + i);
    }
    for (; i < num_rows_; ++i) values[i] = positions[row_at(i)];
    return;
  }
  if (!columns_[column].scale.empty()) {
    const ColumnBasis& basis = columns_[column];
    split(column, [&](std::size_t i) { return basis.position(positions[row_at(i)]); });
  } else {
    split(column, [&](std::size_t i) { return positions[row_at(i)]; });
  }
}

/// `position_at(row of the batch)`: on the column's own scale.
template <class PositionAt>
void Batch::split(std::size_t column, PositionAt position_at) {
  float* const fractions = fractions_.data() + column * stride_;
  std::uint32_t* const offsets = offsets_.data() + column * stride_;
  const float last = static_cast<float>(columns_[column].num_knots - 2);
  for (std::size_t i = 0; i < num_rows_; ++i) {
    const float position = position_at(i);
    // A NaN fails both comparisons' first choice and ends at `last`: a valid read, a NaN fraction.
    const float bounded = std::max(position < last ? position : last, 0.0F);
    const auto interval = static_cast<std::uint32_t>(bounded);
    offsets[i] = interval * static_cast<std::uint32_t>(kLanes);
    fractions[i] = position - static_cast<float>(interval);
  }
}

/// A counting sort, linear in rows plus knots, stable so that sums run in the same order always.
void Batch::sort_by_interval(std::size_t column) {
  const std::size_t num_knots = columns_[column].num_knots;
  std::uint32_t* const starts = starts_.data() + first_start_[column];
  const std::uint32_t* const intervals = offsets(column);
  const float* const fraction = fractions(column);
  std::uint32_t* const rows = sorted_rows_.data() + column * stride_;
  float* const sorted_fraction = sorted_fractions_.data() + column * stride_;
  std::fill_n(starts, num_knots, 0U);
  for (std::size_t i = 0; i < num_rows_; ++i) ++starts[intervals[i] / kLanes + 1];
  for (std::size_t k = 1; k < num_knots; ++k) starts[k] += starts[k - 1];
  for (std::size_t i = 0; i < num_rows_; ++i) {
    const std::uint32_t to = starts[intervals[i] / kLanes]++;
    rows[to] = static_cast<std::uint32_t>(i);
    sorted_fraction[to] = fraction[i];
  }
  // Every start has moved to its interval's end, which is the next one's start.
  std::copy_backward(starts, starts + num_knots - 1, starts + num_knots);
  starts[0] = 0;
}

std::span<const float> Batch::source_row(MatrixView<const float> positions,
                                         std::size_t column) const {
  return positions.row(columns_[column].source.value_or(static_cast<std::uint32_t>(column)));
}

void Batch::load_column(std::size_t column, MatrixView<const float> positions,
                        std::span<const std::uint32_t> rows, bool sorted) {
  assert(rows.size() == num_rows_);
  split_positions(column, source_row(positions, column), [rows](std::size_t i) { return rows[i]; });
  if (sorted && columns_[column].kind != ColumnBasis::Kind::linear) sort_by_interval(column);
}

void Batch::load_column(std::size_t column, MatrixView<const float> positions, std::size_t first,
                        bool sorted) {
  assert(first + num_rows_ <= positions.cols);
  split_positions(column, source_row(positions, column),
                  [first](std::size_t i) { return first + i; });
  if (sorted && columns_[column].kind != ColumnBasis::Kind::linear) sort_by_interval(column);
}

}  // namespace softwood
