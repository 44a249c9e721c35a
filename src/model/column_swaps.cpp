#include "model/column_swaps.h"

#include <algorithm>
#include <cassert>

namespace softwood {

std::vector<SourceColumn> source_columns(const Encoder& encoder, const EnsembleShape& shape) {
  std::vector<SourceColumn> columns;
  std::vector<std::size_t> place;  // of an encoded column's source; parts of a date are neighbours
  for (const EncodedColumn& encoded : encoder.columns()) {
    if (columns.empty() || columns.back().name != encoded.source)
      columns.push_back({.name = encoded.source});
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
      batch_(member.ensemble.shape().columns, kPairsAtOnce, false),
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

MatrixView<float> ColumnSwaps::plain_outputs(std::size_t bundle) {
  const std::size_t num_outputs = member_.ensemble.shape().bundles[bundle].num_outputs;
  return {plain_.data() + first_plain_[bundle], num_outputs, batch_.num_rows()};
}

void ColumnSwaps::predict_plain(std::size_t first, MatrixView<double> outputs) {
  const std::vector<Bundle>& bundles = member_.ensemble.shape().bundles;
  const std::size_t num_pairs = batch_.num_rows();
  for (std::size_t k = 0; k < outputs.rows; ++k) {
    std::ranges::fill(outputs.row(k).subspan(first, num_pairs), 0.0);
  }
  for (std::size_t index = 0; index < bundles.size(); ++index) {
    const MatrixView<float> out = plain_outputs(index);
    forward(member_.ensemble, index, member_.values, batch_, memory_, false, out);
    for (std::size_t k = 0; k < out.rows; ++k) {
      for (std::size_t pair = 0; pair < num_pairs; ++pair) {
        outputs(bundles[index].first_output + k, first + pair) += out(k, pair);
      }
    }
  }
}

void ColumnSwaps::add_squares(const SourceColumn& column, std::span<double> squares) {
  const std::vector<Bundle>& bundles = member_.ensemble.shape().bundles;
  const std::size_t num_pairs = batch_.num_rows();
  std::ranges::fill(changes_, 0.0);
  for (const std::size_t index : column.bundles) {
    const Bundle& bundle = bundles[index];
    const MatrixView<float> plain = plain_outputs(index);
    const MatrixView<float> swapped(swapped_.data(), bundle.num_outputs, num_pairs);
    forward(member_.ensemble, index, member_.values, batch_, memory_, false, swapped);
    for (std::size_t k = 0; k < bundle.num_outputs; ++k) {
      double* const changes = changes_.data() + (bundle.first_output + k) * kPairsAtOnce;
      for (std::size_t pair = 0; pair < num_pairs; ++pair) {
        changes[pair] += static_cast<double>(swapped(k, pair)) - plain(k, pair);
      }
    }
  }
  for (std::size_t k = 0; k < squares.size(); ++k) {
    const double* const changes = changes_.data() + k * kPairsAtOnce;
    squares[k] = 0;
    for (std::size_t pair = 0; pair < num_pairs; ++pair)
      squares[k] += changes[pair] * changes[pair];
  }
}

void ColumnSwaps::run(const RowPairs& pairs, std::size_t first, std::size_t end,
                      MatrixView<double> outputs, MatrixView<double> squares) {
  assert(end - first <= kPairsAtOnce);
  const auto rows = std::span(pairs.rows).subspan(first, end - first);
  const auto donors = std::span(pairs.donors).subspan(first, end - first);
  batch_.resize(rows.size());
  load(member_.ensemble.shape().columns_in_use(), rows);
  predict_plain(first, outputs);
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    load(columns_[column].inputs, donors);
    add_squares(columns_[column], squares.row(column));
    load(columns_[column].inputs, rows);
  }
}

}  // namespace softwood
