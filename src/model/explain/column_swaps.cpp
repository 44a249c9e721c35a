#include "model/explain/column_swaps.h"

#include <algorithm>
#include <cassert>

namespace softwood {

std::vector<SourceColumn> source_columns(const Encoder& encoder, const Member& member) {
  const EnsembleShape& shape = member.ensemble.shape();
  std::vector<SourceColumn> columns;
  std::vector<std::size_t> place;  // of an encoded column's source; parts of a date are neighbours
  for (const EncodedColumn& encoded : encoder.columns()) {
    if (columns.empty() || columns.back().name != encoded.source)
      columns.push_back({.name = encoded.source});
    if (member.linear && member.linear->reads(place.size()))
      columns.back().encoded.push_back(place.size());
    place.push_back(columns.size() - 1);
  }
  for (std::size_t input = 0; input < shape.columns.size(); ++input) {
    columns[place[shape.source_of(input)]].inputs.push_back(input);
  }
  for (std::size_t bundle = 0; bundle < shape.bundles.size(); ++bundle) {
    for (const std::uint32_t input : shape.bundles[bundle].columns) {
      std::vector<std::size_t>& readers = columns[place[shape.source_of(input)]].bundles;
      if (readers.empty() || readers.back() != bundle) readers.push_back(bundle);
    }
  }
  return columns;
}

ColumnSwaps::ColumnSwaps(const Member& member, MatrixView<const float> positions,
                         const std::vector<SourceColumn>& columns)
    : member_(member),
      positions_(positions),
      columns_(columns),
      batch_(member.ensemble.shape(), kPairsAtOnce, false),
      memory_(member.ensemble, kPairsAtOnce),
      swapped_(member.ensemble.shape().num_outputs * kPairsAtOnce),
      changes_(member.ensemble.shape().num_outputs * kPairsAtOnce) {
  std::size_t size = 0;
  for (const Bundle& bundle : member.ensemble.shape().bundles) {
    first_plain_.push_back(size);
    size += bundle.num_outputs * kPairsAtOnce;
  }
  plain_.resize(size);
}

void ColumnSwaps::load(std::span<const std::size_t> inputs, std::span<const std::uint32_t> rows) {
  for (const std::size_t input : inputs) batch_.load_column(input, positions_, rows, false);
}

/// Nothing to do if they are there already, as they are for one dense column after another.
void ColumnSwaps::load_rows(std::vector<std::uint32_t> rows) {
  if (rows == loaded_) return;
  batch_.resize(rows.size());
  load(member_.ensemble.shape().columns_in_use(), rows);
  loaded_ = std::move(rows);
}

MatrixView<float> ColumnSwaps::plain_outputs(std::size_t bundle) {
  const std::size_t num_outputs = member_.ensemble.shape().bundles[bundle].num_outputs;
  return {plain_.data() + first_plain_[bundle], num_outputs, num_pairs_};
}

void ColumnSwaps::predict_plain(std::size_t first, MatrixView<double> outputs) {
  const std::vector<Bundle>& bundles = member_.ensemble.shape().bundles;
  for (std::size_t k = 0; k < outputs.rows; ++k) {
    std::ranges::fill(outputs.row(k).subspan(first, num_pairs_), 0.0);
  }
  for (std::size_t index = 0; index < bundles.size(); ++index) {
    const MatrixView<float> out = plain_outputs(index);
    forward(member_.ensemble, index, member_.values, batch_, memory_, out);
    for (std::size_t k = 0; k < out.rows; ++k) {
      for (std::size_t pair = 0; pair < num_pairs_; ++pair) {
        outputs(bundles[index].first_output + k, first + pair) += out(k, pair);
      }
    }
  }
}

/// The linear part of one cell instead of the other.
void ColumnSwaps::add_linear_changes(const Pairs& pairs) {
  const MatrixView<double> changes(changes_.data(), member_.offset.size(), kPairsAtOnce);
  for (std::size_t i = 0; i < swaps_.size(); ++i) {
    for (const std::size_t column : columns_[swaps_[i].column].encoded) {
      const auto cells = positions_.row(column);
      member_.linear->add_cell(column, cells[pairs.donors[swaps_[i].pair]], 1, changes, i);
      member_.linear->add_cell(column, cells[pairs.rows[swaps_[i].pair]], -1, changes, i);
    }
  }
}

bool ColumnSwaps::differ(const SourceColumn& column, std::size_t row, std::size_t donor) const {
  return std::ranges::any_of(column.inputs, [&](std::size_t input) {
    const std::size_t source = member_.ensemble.shape().source_of(input);
    return positions_(source, row) != positions_(source, donor);
  });
}

/// The donors' cells in the columns of swaps_, each in its own rows.
void ColumnSwaps::load_donors(const Pairs& pairs) {
  for (auto first = swaps_.begin(); first != swaps_.end();) {
    const auto last = std::find_if(first, swaps_.end(),
                                   [&](const Swap& swap) { return swap.column != first->column; });
    std::vector<std::uint32_t> rows = loaded_;
    for (auto swap = first; swap != last; ++swap)
      rows[static_cast<std::size_t>(swap - swaps_.begin())] = pairs.donors[swap->pair];
    load(columns_[first->column].inputs, rows);
    first = last;
  }
}

/// The rows' own cells again.
void ColumnSwaps::load_own() {
  for (std::size_t i = 0; i < swaps_.size(); ++i) {
    if (i == 0 || swaps_[i].column != swaps_[i - 1].column)
      load(columns_[swaps_[i].column].inputs, loaded_);
  }
}

/// A bundle that does not read a swap's column gives the same bits as before: no change.
void ColumnSwaps::add_changes(std::size_t index) {
  const Bundle& bundle = member_.ensemble.shape().bundles[index];
  const MatrixView<float> plain = plain_outputs(index);
  const MatrixView<float> swapped(swapped_.data(), bundle.num_outputs, swaps_.size());
  forward(member_.ensemble, index, member_.values, batch_, memory_, swapped);
  for (std::size_t k = 0; k < bundle.num_outputs; ++k) {
    double* const changes = changes_.data() + (bundle.first_output + k) * kPairsAtOnce;
    for (std::size_t i = 0; i < swaps_.size(); ++i)
      changes[i] += static_cast<double>(swapped(k, i)) - plain(k, swaps_[i].pair);
  }
}

/// Measures what has gathered in swaps_ and empties it.
void ColumnSwaps::measure(const Pairs& pairs, MatrixView<double> squares) {
  if (swaps_.empty()) return;
  std::vector<std::uint32_t> rows;
  std::vector<bool> is_asked(member_.ensemble.shape().bundles.size());
  for (const Swap& swap : swaps_) {
    rows.push_back(pairs.rows[swap.pair]);
    for (const std::size_t bundle : columns_[swap.column].bundles) is_asked[bundle] = true;
  }
  load_rows(std::move(rows));
  load_donors(pairs);
  std::ranges::fill(changes_, 0.0);
  for (std::size_t bundle = 0; bundle < is_asked.size(); ++bundle) {
    if (is_asked[bundle]) add_changes(bundle);
  }
  add_linear_changes(pairs);
  for (std::size_t k = 0; k < squares.cols; ++k) {
    const double* const changes = changes_.data() + k * kPairsAtOnce;
    for (std::size_t i = 0; i < swaps_.size(); ++i)
      squares(swaps_[i].column, k) += changes[i] * changes[i];
  }
  load_own();
  swaps_.clear();
}

void ColumnSwaps::run(const RowPairs& pairs, std::size_t first, std::size_t end,
                      MatrixView<double> outputs, MatrixView<double> squares) {
  assert(end - first <= kPairsAtOnce);
  const Pairs own{std::span(pairs.rows).subspan(first, end - first),
                  std::span(pairs.donors).subspan(first, end - first)};
  num_pairs_ = own.rows.size();
  load_rows({own.rows.begin(), own.rows.end()});
  predict_plain(first, outputs);
  if (member_.linear) {
    member_.linear->add_sums(positions_, own.rows,
                             {outputs.data + first, outputs.rows, num_pairs_, outputs.stride});
  }
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    std::ranges::fill(squares.row(column), 0.0);
    if (columns_[column].bundles.empty() && columns_[column].encoded.empty()) continue;
    for (std::size_t pair = 0; pair < num_pairs_; ++pair) {
      if (!differ(columns_[column], own.rows[pair], own.donors[pair])) continue;
      swaps_.push_back({column, pair});
      if (swaps_.size() == kPairsAtOnce) measure(own, squares);
    }
    // The next column then meets the same rows, if this one differs in all.
    if (swaps_.size() >= kPairsAtOnce / 2) measure(own, squares);
  }
  measure(own, squares);
}

}  // namespace softwood
