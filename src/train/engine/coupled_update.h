#pragma once

#include <cstddef>
#include <span>

#include "train/engine/adam.h"
#include "tree/ensemble.h"

namespace softwood {

/// Of all ensemble buffers of a group, what a step reads and moves.
struct StepBuffers {
  float* gradients = nullptr;  ///< used up
  float* parameters = nullptr;
  float* first_moments = nullptr;
  float* second_moments = nullptr;
  float* averages = nullptr;
  float* values = nullptr;  ///< the curves of the parameters, found anew
};

/// The weights of the same trees of several tasks.
struct CoupledWeights {
  std::span<const std::size_t> offsets{};  ///< where each task's stand in an ensemble buffer
  std::span<const float> strengths{};      ///< λ per block and lane, as coupling_strengths() says
  bool gradients_of_values = true;         ///< or of the parameters already
};

/// gradients_of_parameters(), adam_update(), couple() and curves_from_parameters() of all tasks'
/// `weights` by turns, some columns after the other: the copies of all tasks are far larger than
/// any cache, and so every number comes from memory once a step. `layout`: of any task's `bundle`.
void update_coupled(const AdamStep& step, const EnsembleShape& shape, const Bundle& bundle,
                    const BundleLayout& layout, const CoupledWeights& weights,
                    const StepBuffers& buffers);

}  // namespace softwood
