#include "train/engine/coupling.h"

#include <bit>
#include <cassert>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "train/engine/coupling.cpp"
// Highway wants this order.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "train/engine/adam-inl.h"
#include "train/engine/coupling-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

void couple_kernel(const AdamStep& step, const float* strengths, std::size_t stride,
                   const CoupledPieces& pieces, const CoupledBuffers& buffers) {
  const hn::CappedTag<float, kLanes> d;
  const AdamVectors<decltype(d)> adam(step);
  const float factor = pull_of_strength(step, pieces.offsets.size());
  for (std::size_t at = 0; at < pieces.size; at += hn::Lanes(d)) {
    const std::size_t block = at / (stride * kLanes);
    const auto strength = hn::LoadU(d, strengths + block * kLanes + at % kLanes);
    couple_vector(d, hn::Mul(strength, hn::Set(d, factor)), pieces.offsets, buffers.parameters + at,
                  [&](std::size_t offset) HWY_ATTR {
                    return adam.denominator(hn::LoadU(d, buffers.second_moments + offset + at));
                  });
    if (step.average_weight == 0) continue;
    for (const std::size_t offset : pieces.offsets) {
      adam.average(hn::LoadU(d, buffers.parameters + offset + at), buffers.averages + offset + at);
    }
  }
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace softwood {
namespace {

HWY_EXPORT(couple_kernel);

}  // namespace

float pull_of_strength(const AdamStep& step, std::size_t num_tasks) {
  return 2 * step.rate * static_cast<float>(num_tasks);
}

std::vector<float> coupling_strengths(const Ensemble& ensemble, std::size_t bundle, double strength,
                                      double decay) {
  const BundleLayout& layout = ensemble.layout(bundle);
  const std::size_t num_splits = ensemble.shape().num_splits_per_tree();
  std::vector<float> strengths(layout.num_blocks * kLanes, 0.0F);
  for (std::size_t node = 0; node < layout.num_nodes; ++node) {
    const auto depth = static_cast<double>(std::bit_width(node % num_splits + 1) - 1);
    strengths[layout.slot(node)] = static_cast<float>(strength * std::pow(decay, depth));
  }
  return strengths;
}

void couple(const AdamStep& step, std::span<const float> strengths, std::size_t stride,
            const CoupledPieces& pieces, const CoupledBuffers& buffers) {
  assert(pieces.size == strengths.size() * stride);
  HWY_DYNAMIC_DISPATCH(couple_kernel)(step, strengths.data(), stride, pieces, buffers);
}

}  // namespace softwood
#endif
