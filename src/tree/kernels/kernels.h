#pragma once

#include <span>

#include "base/aligned_vector.h"
#include "base/views.h"
#include "tree/batch.h"
#include "tree/ensemble.h"
#include "tree/kernels/visits.h"

namespace softwood {

/// What one bundle remembers between its forward and its backward pass over a batch, and scratch.
/// Rows come in tiles of kLanes; R = rows rounded up to whole tiles.
struct BundleMemory {
  BundleMemory(const Ensemble& ensemble, std::size_t bundle, std::size_t max_rows);
  /// Scratch for the forward pass alone, of any bundle of the ensemble: for prediction.
  BundleMemory(const Ensemble& ensemble, std::size_t max_rows);

  /// Whether backward() may follow.
  bool keeps() const { return keeps_ || max_rows == 0; }

  std::size_t max_rows = 0;
  /// [tile][node, padded to whole blocks][row of the tile]: s for the logistic function, the
  /// clipped z/γ + 1/2 for the smooth step; backward() turns each into ∂loss/∂z.
  AlignedVector<float> nodes;
  /// [output][R + a tile]: out, or ∂loss/∂out and zeros; of trees that skip [row][output].
  AlignedVector<float> outputs;
  AlignedVector<float> reach;            ///< [leaf of one tree][R + a tile]
  AlignedVector<float> block_gradients;  ///< [R][a few blocks · kLanes]: ∂loss/∂z of those blocks
  AlignedVector<float> leaf_tile;        ///< [leaf][row of one tile]
  Visits visits;                         ///< of trees that skip; they need none of the above

 private:
  bool keeps_ = false;

  void make_room(const Ensemble& ensemble, std::size_t bundle, bool keep);
};

/// Adds nothing: overwrites `out` [bundle's num_outputs × batch rows] with the sum over the
/// bundle's trees. `values`: a whole ensemble buffer of knot values, biases and leaves. A `memory`
/// that keeps() then holds what backward() needs. A row's output does not depend on the other rows
/// of the batch. A NaN among the values gives NaN where a row comes across it: everywhere, if the
/// shape does not skip.
void forward(const Ensemble& ensemble, std::size_t bundle, std::span<const float> values,
             const Batch& batch, BundleMemory& memory, MatrixView<float> out);

/// After forward() on the same batch and values, with a memory that keeps(): overwrites this
/// bundle's part of `gradients` (a whole ensemble buffer) with the gradients of its knot values,
/// biases and leaves, given `output_gradients` [bundle's num_outputs × batch rows] = ∂loss/∂out.
/// Padding gets zeros. What forward() kept is used up.
void backward(const Ensemble& ensemble, std::size_t bundle, std::span<const float> values,
              const Batch& batch, BundleMemory& memory, MatrixView<const float> output_gradients,
              std::span<float> gradients);

}  // namespace softwood
