#include "tree/batch_pass.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "tree/kernels/input_gradient.h"

namespace softwood {
namespace {

/// Rows that a thread serves at a time where rows are shared out: whole tiles.
constexpr std::size_t kRowsPerPiece = 4 * kLanes;

/// Calls work(first, last) over pieces of the rows.
template <class Work>
void for_row_pieces(std::size_t num_rows, ThreadTeam& team, const Work& work) {
  team.for_each(round_up(num_rows, kRowsPerPiece) / kRowsPerPiece, [&](std::size_t piece) {
    const std::size_t first = piece * kRowsPerPiece;
    work(first, std::min(first + kRowsPerPiece, num_rows));
  });
}

template <class T>
auto batch_of(const EnsembleShape& shape, std::size_t num_rows) {
  if constexpr (std::is_same_v<T, float>) return Batch(shape, num_rows);
  if constexpr (!std::is_same_v<T, float>) return DoubleBatch(shape.columns, num_rows);
}

}  // namespace

template <class T>
BatchPass<T>::BatchPass(const Ensemble& ensemble, PlainTensors<const T> values,
                        std::vector<T> positions, std::size_t num_rows, ThreadTeam& team)
    : ensemble_(ensemble),
      num_rows_(num_rows),
      positions_(std::move(positions)),
      batch_(batch_of<T>(ensemble.shape(), num_rows)),
      values_(ensemble.buffer_size()),
      gradients_(ensemble.buffer_size()) {
  const std::vector<PlainTensors<const T>> parts = by_bundle(ensemble, values);
  for (std::size_t bundle = 0; bundle < parts.size(); ++bundle) {
    memories_.emplace_back(ensemble, bundle, num_rows);
    outs_.emplace_back(ensemble.shape().bundles[bundle].num_outputs * num_rows);
  }
  team.for_each(parts.size(), [&](std::size_t bundle) {
    values_from_plain<T>(ensemble, bundle, parts[bundle], values_);
  });
  if constexpr (kIsFloat) batch_.resize(num_rows);
  team.for_each(batch_.num_columns(), [&](std::size_t column) {
    if constexpr (kIsFloat) batch_.load_column(column, this->positions(), 0, true);
    if constexpr (!kIsFloat) batch_.load_column(column, this->positions());
  });
  if constexpr (kIsFloat) {
    if (batch_.by_row()) batch_.load_rows(ensemble.shape().columns_in_use(), this->positions(), 0);
  }
}

template <class T>
MatrixView<const T> BatchPass<T>::positions() const {
  // Without rows any number of sources will do: there are no more than columns.
  const std::size_t num_sources =
      num_rows_ == 0 ? ensemble_.shape().columns.size() : positions_.size() / num_rows_;
  return {positions_.data(), num_sources, num_rows_};
}

template <class T>
MatrixView<T> BatchPass<T>::out_of(std::size_t bundle) {
  return {outs_[bundle].data(), ensemble_.shape().bundles[bundle].num_outputs, num_rows_};
}

template <class T>
void BatchPass<T>::forward_bundle(std::size_t bundle) {
  if constexpr (kIsFloat) {
    softwood::forward(ensemble_, bundle, values_, batch_, memories_[bundle], out_of(bundle));
  } else {
    softwood::forward(ensemble_, bundle, values_, batch_, out_of(bundle));
  }
}

template <class T>
void BatchPass<T>::backward_bundle(std::size_t index, MatrixView<const T> output_gradients) {
  const Bundle& bundle = ensemble_.shape().bundles[index];
  const T* const own = output_gradients.data + bundle.first_output * output_gradients.stride;
  softwood::backward(ensemble_, index, values_, batch_, memories_[index],
                     {own, bundle.num_outputs, num_rows_, output_gradients.stride}, gradients_);
}

template <class T>
void BatchPass<T>::forward(ThreadTeam& team, MatrixView<double> out) {
  const std::vector<Bundle>& bundles = ensemble_.shape().bundles;
  team.for_each(bundles.size(), [&](std::size_t bundle) { forward_bundle(bundle); });
  is_used_up_ = false;
  for (std::size_t k = 0; k < out.rows; ++k) std::ranges::fill(out.row(k), 0.0);
  for (std::size_t bundle = 0; bundle < bundles.size(); ++bundle) {
    for (std::size_t k = 0; k < bundles[bundle].num_outputs; ++k) {
      const std::span<const T> from = out_of(bundle).row(k);
      const std::span<double> sums = out.row(bundles[bundle].first_output + k);
      for (std::size_t row = 0; row < num_rows_; ++row) sums[row] += from[row];
    }
  }
}

template <class T>
void BatchPass<T>::backward(MatrixView<const T> output_gradients, PlainTensors<T> gradients,
                            MatrixView<double> position_gradients, ThreadTeam& team) {
  assert(output_gradients.rows == ensemble_.shape().num_outputs);
  const std::vector<PlainTensors<T>> parts = by_bundle(ensemble_, gradients);
  team.for_each(parts.size(), [&](std::size_t bundle) {
    if (kIsFloat && is_used_up_) forward_bundle(bundle);
    backward_bundle(bundle, output_gradients);
    plain_from_values<T>(ensemble_, bundle, gradients_, parts[bundle]);
  });
  is_used_up_ = true;
  if (position_gradients.data != nullptr) find_position_gradients(position_gradients, team);
}

template <class T>
void BatchPass<T>::find_position_gradients(MatrixView<double> gradients, ThreadTeam& team) {
  for (std::size_t source = 0; source < gradients.rows; ++source) {
    std::ranges::fill(gradients.row(source), 0.0);
  }
  for_row_pieces(num_rows_, team, [&](std::size_t first, std::size_t last) {
    for (std::size_t bundle = 0; bundle < memories_.size(); ++bundle) {
      add_position_gradients(ensemble_, bundle, values_, batch_, positions(), memories_[bundle],
                             first, last, gradients);
    }
  });
}

template class BatchPass<float>;
template class BatchPass<double>;

}  // namespace softwood
