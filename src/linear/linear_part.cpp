#include "linear/linear_part.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace softwood {
namespace {

/// Rows at a time: their sums stay in the cache while column after column is added.
constexpr std::size_t kBlockRows = 256;

/// work(rows) for every block of the rows.
template <class Work>
void for_blocks(std::size_t num_rows, ThreadTeam& team, const Work& work) {
  team.for_each((num_rows + kBlockRows - 1) / kBlockRows, [&](std::size_t block) {
    work(ItemRange{block * kBlockRows, std::min(num_rows, (block + 1) * kBlockRows)});
  });
}

}  // namespace

LinearPart::LinearPart(std::shared_ptr<const LinearFeatures> features, std::vector<float> weights,
                       std::vector<float> biases)
    : features_(std::move(features)), weights_(std::move(weights)), biases_(std::move(biases)) {
  assert(weights_.size() == features_->size() * biases_.size());
}

LinearPart::LinearPart(std::shared_ptr<const LinearFeatures> features, std::size_t num_outputs)
    : features_(std::move(features)),
      weights_(features_->size() * num_outputs),
      biases_(num_outputs) {}

bool LinearPart::reads(std::size_t column) const {
  const ItemRange own = features_->of_column(column);
  const std::size_t k = num_outputs();
  return std::any_of(weights_.data() + own.begin * k, weights_.data() + own.end * k,
                     [](float weight) { return weight != 0; });
}

std::size_t LinearPart::num_columns_read() const {
  std::size_t count = 0;
  for (std::size_t column = 0; column < features_->num_columns(); ++column)
    count += reads(column) ? 1 : 0;
  return count;
}

void LinearPart::put(const LinearPart& part, std::size_t first) {
  assert(first + part.num_outputs() <= num_outputs() &&
         part.features().size() == features().size());
  for (std::size_t k = 0; k < part.num_outputs(); ++k) {
    biases_[first + k] = part.biases_[k];
    for (std::size_t feature = 0; feature < features_->size(); ++feature) {
      weights_[feature * num_outputs() + first + k] =
          part.weights_[feature * part.num_outputs() + k];
    }
  }
}

void LinearPart::scale(std::size_t first, std::size_t count, double factor) {
  assert(first + count <= num_outputs());
  const auto multiply = [&](float& value) { value = static_cast<float>(factor * value); };
  for (std::size_t output = first; output < first + count; ++output) {
    multiply(biases_[output]);
    for (std::size_t at = output; at < weights_.size(); at += num_outputs()) multiply(weights_[at]);
  }
}

/// `rows`: places in g; row_of(place): where the row stands among the positions.
template <class T, class RowOf>
void LinearPart::add_block(MatrixView<const T> positions, const RowOf& row_of, ItemRange rows,
                           MatrixView<double> g) const {
  const std::size_t num = num_outputs(), count = rows.end - rows.begin;
  std::vector<double> sums(count * num);  // [rows × outputs]: a row's outputs side by side
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = biases_[i % num];
  for (std::size_t column = 0; column < features_->num_columns(); ++column) {
    const T* const cells = positions.data + column * positions.stride;
    for (std::size_t i = 0; i < count; ++i) {
      const auto position = static_cast<double>(cells[row_of(rows.begin + i)]);
      const LinearFeatures::Place place = features_->place(column, position);
      const float* const weights = weights_.data() + place.feature * num;
      double* const sum = sums.data() + i * num;
      for (std::size_t k = 0; k < num; ++k) sum[k] += place.value * static_cast<double>(weights[k]);
    }
  }
  for (std::size_t k = 0; k < num; ++k) {
    double* const out = g.data + k * g.stride + rows.begin;
    for (std::size_t i = 0; i < count; ++i) out[i] += sums[i * num + k];
  }
}

template <class T>
void LinearPart::add_sums(MatrixView<const T> positions, MatrixView<double> g,
                          ThreadTeam& team) const {
  assert(positions.rows == features_->num_columns() && g.rows == num_outputs());
  for_blocks(positions.cols, team, [&](ItemRange rows) {
    add_block(
        positions, [](std::size_t row) { return row; }, rows, g);
  });
}

void LinearPart::add_sums(MatrixView<const float> positions, std::span<const std::uint32_t> rows,
                          MatrixView<double> g, ThreadTeam& team) const {
  for_blocks(rows.size(), team, [&](ItemRange block) {
    add_block(
        positions, [&](std::size_t row) { return rows[row]; }, block, g);
  });
}

void LinearPart::add_sums(MatrixView<const float> positions, std::span<const std::uint32_t> rows,
                          MatrixView<double> g) const {
  ThreadTeam alone(1);
  add_sums(positions, rows, g, alone);
}

void LinearPart::add_row(std::span<const float> positions, std::span<double> sums,
                         std::span<double> g) const {
  assert(positions.size() == features_->num_columns());
  assert(sums.size() == num_outputs() && g.size() == num_outputs());
  std::ranges::copy(biases_, sums.begin());
  for (std::size_t column = 0; column < positions.size(); ++column)
    add_cell(column, positions[column], 1, {sums.data(), sums.size(), 1}, 0);
  for (std::size_t k = 0; k < g.size(); ++k) g[k] += sums[k];
}

void LinearPart::add_cell(std::size_t column, double position, double factor, MatrixView<double> g,
                          std::size_t place) const {
  const LinearFeatures::Place cell = features_->place(column, position);
  const float* const weights = weights_.data() + cell.feature * num_outputs();
  for (std::size_t k = 0; k < num_outputs(); ++k)
    g(k, place) += factor * cell.value * static_cast<double>(weights[k]);
}

template <class T>
void LinearPart::add_position_gradients(MatrixView<const T> positions,
                                        MatrixView<const T> output_gradients,
                                        MatrixView<double> gradients, ThreadTeam& team) const {
  const std::size_t num = num_outputs();
  team.for_each(features_->num_columns(), [&](std::size_t column) {
    if (!reads(column)) return;
    for (std::size_t row = 0; row < positions.cols; ++row) {
      const LinearFeatures::Place place =
          features_->place(column, static_cast<double>(positions(column, row)));
      if (place.slope == 0) continue;
      double sum = 0;
      for (std::size_t k = 0; k < num; ++k) {
        sum += static_cast<double>(weights_[place.feature * num + k]) *
               static_cast<double>(output_gradients(k, row));
      }
      gradients(column, row) += place.slope * sum;
    }
  });
}

template void LinearPart::add_sums(MatrixView<const float>, MatrixView<double>, ThreadTeam&) const;
template void LinearPart::add_sums(MatrixView<const double>, MatrixView<double>, ThreadTeam&) const;
template void LinearPart::add_position_gradients(MatrixView<const float>, MatrixView<const float>,
                                                 MatrixView<double>, ThreadTeam&) const;
template void LinearPart::add_position_gradients(MatrixView<const double>, MatrixView<const double>,
                                                 MatrixView<double>, ThreadTeam&) const;

}  // namespace softwood
