#pragma once

#include <span>
#include <vector>

#include "train/engine/adam.h"
#include "tree/ensemble.h"

namespace softwood {

/// Soft sharing: how hard the splits of a bundle are pulled towards those of the same trees of
/// other tasks, per node and lane [blocks × kLanes]: strength · decay^depth.
std::vector<float> coupling_strengths(const Ensemble& ensemble, std::size_t bundle, double strength,
                                      double decay);

/// 2 T · rate: what turns λ into the pull of a step.
float pull_of_strength(const AdamStep& step, std::size_t num_tasks);

/// The same piece of several tasks' bundles: where each stands in an ensemble buffer.
struct CoupledPieces {
  std::vector<std::size_t> offsets;
  std::size_t size = 0;  ///< floats of each, whole blocks of [stride × kLanes]
};
/// The ensemble buffers that they are pieces of.
struct CoupledBuffers {
  float* parameters = nullptr;
  float* averages = nullptr;
  const float* second_moments = nullptr;
};

/// After Adam's step: the proximal step of the penalty λ Σ_{s<t} (w_s − w_t)² = λ T Σ_t (w_t − w̄)²
/// in Adam's own metric,
///   w_t ← w̄ + (w_t − w̄) / (1 + 2 λ T · rate / (√(v_t · v_correction) + ε)),
/// then the average of the weights. Its fixed points are those of gradient descent on loss and
/// penalty; λ = 0 changes nothing, and any λ is stable: λ → ∞ makes the tasks' splits one. A
/// penalty inside Adam's gradient would drown the loss's own there. `strengths`: λ of each lane of
/// a block, whose floats come kLanes at a time, `stride` of them a block.
void couple(const AdamStep& step, std::span<const float> strengths, std::size_t stride,
            const CoupledPieces& pieces, const CoupledBuffers& buffers);

}  // namespace softwood
