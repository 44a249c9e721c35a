#pragma once

#include <span>
#include <vector>

#include "base/aligned_vector.h"
#include "base/views.h"
#include "tree/ensemble.h"

namespace softwood {

/// The work of kernels.h and input_gradient.h in double, by plain code: for derivatives to the last
/// digits. The functions mean what those of the same names there mean.

/// Some rows as the passes read them: each row's interval and fraction in every column.
class DoubleBatch {
 public:
  /// `columns`: of the ensemble; borrowed, must outlive the batch.
  DoubleBatch(std::span<const ColumnBasis> columns, std::size_t num_rows);

  std::size_t num_rows() const { return num_rows_; }
  std::size_t num_columns() const { return columns_.size(); }
  /// From its source in `positions` [sources × rows].
  void load_column(std::size_t column, MatrixView<const double> positions);

  /// 0 … num_knots − 2; 0 for a linear column.
  std::size_t interval(std::size_t column, std::size_t row) const {
    return intervals_[column * num_rows_ + row];
  }
  /// In [0, 1], or the value in a linear column.
  double fraction(std::size_t column, std::size_t row) const {
    return fractions_[column * num_rows_ + row];
  }

 private:
  std::span<const ColumnBasis> columns_;
  std::size_t num_rows_;
  std::vector<std::uint32_t> intervals_;  // [column][row]
  std::vector<double> fractions_;         // [column][row]
};

/// What a bundle's backward pass leaves for the gradients of the positions.
struct DoubleMemory {
  DoubleMemory(const Ensemble& ensemble, std::size_t bundle, std::size_t num_rows);
  AlignedVector<double> z_gradients;  ///< [row][node, padded to whole blocks]
};

/// `out` [bundle's num_outputs × rows], overwritten.
void forward(const Ensemble& ensemble, std::size_t bundle, std::span<const double> values,
             const DoubleBatch& batch, MatrixView<double> out);

/// Needs no forward pass before it.
void backward(const Ensemble& ensemble, std::size_t bundle, std::span<const double> values,
              const DoubleBatch& batch, DoubleMemory& memory,
              MatrixView<const double> output_gradients, std::span<double> gradients);

void add_position_gradients(const Ensemble& ensemble, std::size_t bundle,
                            std::span<const double> values, const DoubleBatch& batch,
                            MatrixView<const double> positions, const DoubleMemory& memory,
                            std::size_t first, std::size_t last, MatrixView<double> gradients);

}  // namespace softwood
