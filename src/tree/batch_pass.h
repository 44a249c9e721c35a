#pragma once

#include <type_traits>
#include <vector>

#include "base/aligned_vector.h"
#include "base/thread_team.h"
#include "base/views.h"
#include "tree/batch.h"
#include "tree/double_passes.h"
#include "tree/ensemble.h"
#include "tree/kernels/kernels.h"
#include "tree/plain_tensors.h"

namespace softwood {

/// One batch through all bundles of an ensemble and back, for T = float by the kernels, for T =
/// double by plain code. Threads own bundles, then rows; every sum has one order, so the bits do
/// not depend on their number.
template <class T>
class BatchPass {
 public:
  /// `ensemble` is borrowed; `values` are copied. `positions`: [sources × num_rows], stored.
  BatchPass(const Ensemble& ensemble, PlainTensors<const T> values, std::vector<T> positions,
            std::size_t num_rows, ThreadTeam& team);

  /// Overwrites `out` [outputs × rows] with the sums over the bundles (in order, in double).
  void forward(ThreadTeam& team, MatrixView<double> out);

  /// After forward(), as often as you like. `output_gradients` [outputs × rows] = ∂loss/∂out;
  /// overwrites `gradients` of the values. `position_gradients` [sources × rows]: overwritten, or
  /// an empty view if nobody asks.
  void backward(MatrixView<const T> output_gradients, PlainTensors<T> gradients,
                MatrixView<double> position_gradients, ThreadTeam& team);

  /// As given [sources × rows].
  MatrixView<const T> positions() const;

 private:
  static constexpr bool kIsFloat = std::is_same_v<T, float>;

  MatrixView<T> out_of(std::size_t bundle);
  void forward_bundle(std::size_t bundle);
  void backward_bundle(std::size_t bundle, MatrixView<const T> output_gradients);
  void find_position_gradients(MatrixView<double> gradients, ThreadTeam& team);

  const Ensemble& ensemble_;
  std::size_t num_rows_;
  std::vector<T> positions_;                                // [sources × rows]
  std::conditional_t<kIsFloat, Batch, DoubleBatch> batch_;  // the same, as the passes read it
  AlignedVector<T> values_, gradients_;                     // ensemble buffers
  std::vector<std::conditional_t<kIsFloat, BundleMemory, DoubleMemory>> memories_;  // [bundle]
  std::vector<std::vector<T>> outs_;  // [bundle][its outputs × rows]
  bool is_used_up_ = false;           // what the kernels' forward pass kept
};

}  // namespace softwood
