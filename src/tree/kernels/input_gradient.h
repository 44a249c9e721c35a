#pragma once

#include <span>

#include "base/views.h"
#include "tree/kernels/kernels.h"

namespace softwood {

/// After backward() on the same batch and values: adds the gradients of the stored positions of
/// rows first … last − 1 (whole tiles of kLanes rows, but for the last) to `gradients`
/// [sources × rows]:
///   Σ over nodes of ∂loss/∂z · (V[k + 1] − V[k]) · stretch   for a curve,
///   Σ over nodes of ∂loss/∂z · w                             for a linear column,
///   nothing for levels, and for positions at a curve's last edge or at missing, which no small
///   step of the value moves.
/// At a knot it is the derivative to the right. `positions` [sources × rows]: what the batch was
/// loaded from. Different rows may be worked on by different threads at once.
void add_position_gradients(const Ensemble& ensemble, std::size_t bundle,
                            std::span<const float> values, const Batch& batch,
                            MatrixView<const float> positions, BundleMemory& memory,
                            std::size_t first, std::size_t last, MatrixView<double> gradients);

}  // namespace softwood
