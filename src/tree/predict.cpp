#include "tree/predict.h"

#include <algorithm>
#include <cassert>

namespace softwood {

Predictor::Predictor(const Ensemble& ensemble, std::span<const float> values,
                     std::size_t max_rows_at_once)
    : ensemble_(ensemble),
      values_(values),
      columns_(ensemble.shape().columns_in_use()),
      max_rows_(std::max<std::size_t>(1, max_rows_at_once)),
      batch_(ensemble.shape(), max_rows_, false),
      memory_(ensemble, max_rows_),
      bundle_out_(ensemble.shape().num_outputs * max_rows_),
      sums_(ensemble.shape().num_outputs * max_rows_) {
  assert(values.size() == ensemble.buffer_size());
}

void Predictor::add_up() {
  const std::size_t count = batch_.num_rows();
  std::ranges::fill(sums_, 0.0);
  const std::vector<Bundle>& bundles = ensemble_.shape().bundles;
  for (std::size_t index = 0; index < bundles.size(); ++index) {
    const Bundle& bundle = bundles[index];
    const MatrixView<float> out(bundle_out_.data(), bundle.num_outputs, count);
    forward(ensemble_, index, values_, batch_, memory_, out);
    for (std::size_t k = 0; k < bundle.num_outputs; ++k) {
      double* const sum = sums_.data() + (bundle.first_output + k) * max_rows_;
      for (std::size_t row = 0; row < count; ++row) sum[row] += out(k, row);
    }
  }
}

void Predictor::load_block(MatrixView<const float> positions, std::size_t first) {
  if (batch_.by_row()) return batch_.load_rows(columns_, positions, first);
  for (const std::size_t column : columns_) batch_.load_column(column, positions, first);
}

template <class Load, class T>
void Predictor::predict_all(const Load& load, std::size_t first, std::size_t count,
                            MatrixView<T> out) {
  assert(out.rows == ensemble_.shape().num_outputs && first + count <= out.cols);
  for (std::size_t done = 0; done < count; done += max_rows_) {
    const std::size_t rows = std::min(max_rows_, count - done);
    batch_.resize(rows);
    load(first + done, rows);
    add_up();
    for (std::size_t k = 0; k < out.rows; ++k) {
      const double* const sum = sums_.data() + k * max_rows_;
      for (std::size_t row = 0; row < rows; ++row) {
        out(k, first + done + row) = static_cast<T>(sum[row]);
      }
    }
  }
}

void Predictor::predict(MatrixView<const float> positions, std::size_t first, std::size_t count,
                        MatrixView<double> out) {
  const auto load = [&](std::size_t from, std::size_t) { load_block(positions, from); };
  predict_all(load, first, count, out);
}

void Predictor::predict(MatrixView<const float> positions, std::size_t first, std::size_t count,
                        MatrixView<float> out) {
  const auto load = [&](std::size_t from, std::size_t) { load_block(positions, from); };
  predict_all(load, first, count, out);
}

void Predictor::predict(MatrixView<const float> positions, std::span<const std::uint32_t> rows,
                        std::size_t first, std::size_t count, MatrixView<double> out) {
  const auto load = [&](std::size_t from, std::size_t size) {
    const std::span<const std::uint32_t> block = rows.subspan(from, size);
    if (batch_.by_row()) return batch_.load_rows(columns_, positions, block, 0, size);
    for (const std::size_t column : columns_) {
      batch_.load_column(column, positions, block, /*sorted=*/false);
    }
  };
  predict_all(load, first, count, out);
}

}  // namespace softwood
