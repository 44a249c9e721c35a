#pragma once

#include <cstddef>
#include <span>

#include "base/aligned_vector.h"
#include "base/views.h"
#include "tree/batch.h"
#include "tree/kernels/kernels.h"

namespace softwood {

/// Sums all bundles of an ensemble for many rows, block by block, with scratch of its own: one per
/// thread, made once; predicting allocates nothing. A row's bits do not depend on the other rows,
/// the blocks or the threads.
class Predictor {
 public:
  /// `ensemble` and `values` (an ensemble buffer of knot values, biases and leaves) are borrowed.
  Predictor(const Ensemble& ensemble, std::span<const float> values)
      : Predictor(ensemble, values, rows_at_once(ensemble.shape())) {}
  Predictor(const Ensemble& ensemble, std::span<const float> values, std::size_t max_rows_at_once);

  /// Overwrites columns first … first + count − 1 of `out` [num_outputs × all rows] with the sums
  /// over the bundles (in order, in double) for those rows of `positions` [columns × all rows].
  void predict(MatrixView<const float> positions, std::size_t first, std::size_t count,
               MatrixView<double> out);
  void predict(MatrixView<const float> positions, std::size_t first, std::size_t count,
               MatrixView<float> out);
  /// The same for rows[first] … rows[first + count − 1] of `positions`; `out` [num_outputs × rows].
  void predict(MatrixView<const float> positions, std::span<const std::uint32_t> rows,
               std::size_t first, std::size_t count, MatrixView<double> out);

  /// How many rows go through all bundles before the next ones. More of them share what is read of
  /// a bundle where each block of nodes serves few.
  static std::size_t rows_at_once(const EnsembleShape& shape) { return shape.skips() ? 1024 : 256; }

 private:
  /// `load(first, count)` loads a block of rows into batch_.
  template <class Load, class T>
  void predict_all(const Load& load, std::size_t first, std::size_t count, MatrixView<T> out);
  void load_block(MatrixView<const float> positions, std::size_t first);
  /// The sums over the bundles of the rows in batch_, in sums_.
  void add_up();

  const Ensemble& ensemble_;
  std::span<const float> values_;
  std::vector<std::size_t> columns_;  // that some bundle reads
  std::size_t max_rows_;
  Batch batch_;
  BundleMemory memory_;
  AlignedVector<float> bundle_out_;  // [bundle's outputs × block rows]
  AlignedVector<double> sums_;       // [outputs × max_rows_]
};

}  // namespace softwood
