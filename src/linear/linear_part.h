#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/thread_team.h"
#include "base/views.h"
#include "linear/linear_features.h"

namespace softwood {

/// A function that is linear in the encoded columns: g_k(row) = bias_k + Σ weight_jk ·
/// feature_j(row), in the same units as what trees add up to. A row's bits do not depend on threads
/// or on the other rows. Cheap to copy but for its weights.
class LinearPart {
 public:
  /// `weights`: [features × outputs]; `biases`: one per output.
  LinearPart(std::shared_ptr<const LinearFeatures> features, std::vector<float> weights,
             std::vector<float> biases);
  /// Of zeros.
  LinearPart(std::shared_ptr<const LinearFeatures> features, std::size_t num_outputs);

  const LinearFeatures& features() const { return *features_; }
  std::size_t num_outputs() const { return biases_.size(); }
  std::span<const float> weights() const { return weights_; }
  std::span<const float> biases() const { return biases_; }
  /// Some weight of the encoded column is not 0.
  bool reads(std::size_t column) const;
  /// Encoded columns that it reads.
  std::size_t num_columns_read() const;

  /// Takes the weights of another one, of the same features and of fewer outputs, for outputs
  /// first, first + 1, …
  void put(const LinearPart& part, std::size_t first);
  /// Multiplies what it gives to outputs first … first + count − 1.
  void scale(std::size_t first, std::size_t count, double factor);

  /// Adds its values to g [outputs × rows]: of all rows of `positions` [columns × rows], or of
  /// `rows` of them.
  template <class T>
  void add_sums(MatrixView<const T> positions, MatrixView<double> g, ThreadTeam& team) const;
  void add_sums(MatrixView<const float> positions, std::span<const std::uint32_t> rows,
                MatrixView<double> g, ThreadTeam& team) const;
  /// The same by the calling thread alone.
  void add_sums(MatrixView<const float> positions, std::span<const std::uint32_t> rows,
                MatrixView<double> g) const;

  /// The same of one row, its positions side by side, to g [outputs]. `sums`: scratch as long as g.
  void add_row(std::span<const float> positions, std::span<double> sums, std::span<double> g) const;

  /// Adds `factor` · what a column at a position gives to g(output, place), of every output.
  void add_cell(std::size_t column, double position, double factor, MatrixView<double> g,
                std::size_t place) const;

  /// Adds ∂loss/∂position to `gradients` [columns × rows], given ∂loss/∂g [outputs × rows].
  template <class T>
  void add_position_gradients(MatrixView<const T> positions, MatrixView<const T> output_gradients,
                              MatrixView<double> gradients, ThreadTeam& team) const;

 private:
  template <class T, class RowOf>
  void add_block(MatrixView<const T> positions, const RowOf& row_of, ItemRange rows,
                 MatrixView<double> g) const;

  std::shared_ptr<const LinearFeatures> features_;
  std::vector<float> weights_;  // [features × outputs]
  std::vector<float> biases_;
};

}  // namespace softwood
