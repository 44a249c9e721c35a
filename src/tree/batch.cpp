#include "tree/batch.h"

#include <algorithm>
#include <cassert>

#include "tree/kernels/kernel_sizes.h"

namespace softwood {
namespace {

/// Floats between two rows' numbers: an odd number of lines of the cache, so that one column's
/// numbers do not fight for the same few places in it.
std::size_t row_stride(std::size_t num_columns) {
  return (round_up(num_columns, kLanes) / kLanes | 1) * kLanes;
}

}  // namespace

Batch::Batch(std::span<const ColumnBasis> columns, std::size_t max_rows, bool sortable, bool by_row)
    : columns_(columns),
      max_rows_(max_rows),
      by_row_(by_row),
      stride_(padded_stride(max_rows)),
      row_stride_(row_stride(columns.size())),
      offsets_(sortable || !by_row ? columns.size() * stride_ : 0),
      sorted_rows_(sortable ? offsets_.size() : 0),
      fractions_(offsets_.size()),
      sorted_fractions_(sorted_rows_.size()),
      row_offsets_(by_row ? max_rows * row_stride_ : 0),
      row_fractions_(row_offsets_.size()) {
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
void Batch::split_positions(std::size_t column, std::span<const float> positions, RowRange range,
                            RowAt row_at, const Place& to) {
  if (columns_[column].kind == ColumnBasis::Kind::linear) {
    std::size_t i = range.begin;
    for (; i + 4 <= range.end; i += 4) {  // several reads at once that miss the cache
      const float some[] = {positions[row_at(i)], positions[row_at(i + 1)],
                            positions[row_at(i + 2)], positions[row_at(i + 3)]};
      for (std::size_t k = 0; k < 4; ++k) to.fractions[(i + k) * to.step] = some[k];
    }
    for (; i < range.end; ++i) to.fractions[i * to.step] = positions[row_at(i)];
    return;
  }
  if (!columns_[column].scale.empty()) {
    const ColumnBasis& basis = columns_[column];
    split(
        column, range, [&](std::size_t i) { return basis.position(positions[row_at(i)]); }, to);
  } else {
    split(
        column, range, [&](std::size_t i) { return positions[row_at(i)]; }, to);
  }
}

/// `position_at(row of the batch)`: on the column's own scale.
template <class PositionAt>
void Batch::split(std::size_t column, RowRange range, PositionAt position_at, const Place& to) {
  const float last = static_cast<float>(columns_[column].num_knots - 2);
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const float position = position_at(i);
    // A NaN fails both comparisons' first choice and ends at `last`: a valid read, a NaN fraction.
    const float bounded = std::max(position < last ? position : last, 0.0F);
    const auto interval = static_cast<std::uint32_t>(bounded);
    to.offsets[i * to.step] = interval * static_cast<std::uint32_t>(kLanes);
    to.fractions[i * to.step] = position - static_cast<float>(interval);
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
  split_positions(
      column, source_row(positions, column), {0, num_rows_},
      [rows](std::size_t i) { return rows[i]; },
      by_row_ && !sorted ? in_rows(column) : in_column(column));
  if (sorted && columns_[column].kind != ColumnBasis::Kind::linear) sort_by_interval(column);
}

void Batch::load_column(std::size_t column, MatrixView<const float> positions, std::size_t first,
                        bool sorted) {
  assert(first + num_rows_ <= positions.cols);
  split_positions(
      column, source_row(positions, column), {0, num_rows_},
      [first](std::size_t i) { return first + i; },
      by_row_ && !sorted ? in_rows(column) : in_column(column));
  if (sorted && columns_[column].kind != ColumnBasis::Kind::linear) sort_by_interval(column);
}

void Batch::load_rows(std::span<const std::size_t> columns, MatrixView<const float> positions,
                      std::span<const std::uint32_t> rows, std::size_t begin, std::size_t end) {
  assert(by_row_ && rows.size() == num_rows_ && end <= num_rows_);
  load_rows_in_tiles(columns, positions, {begin, end}, [rows](std::size_t i) { return rows[i]; });
}

void Batch::load_rows(std::span<const std::size_t> columns, MatrixView<const float> positions,
                      std::size_t first) {
  assert(by_row_ && first + num_rows_ <= positions.cols);
  load_rows_in_tiles(columns, positions, {0, num_rows_},
                     [first](std::size_t i) { return first + i; });
}

/// A tile of rows at a time, whose numbers stay in the cache until all columns have been there.
template <class RowAt>
void Batch::load_rows_in_tiles(std::span<const std::size_t> columns,
                               MatrixView<const float> positions, RowRange range, RowAt row_at) {
  constexpr std::size_t kTile = 64;
  for (std::size_t begin = range.begin; begin < range.end; begin += kTile) {
    const RowRange tile{begin, std::min(begin + kTile, range.end)};
    for (const std::size_t column : columns) {
      split_positions(column, source_row(positions, column), tile, row_at, in_rows(column));
    }
  }
}

}  // namespace softwood
