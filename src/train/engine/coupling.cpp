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

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// One vector of nodes; `pull` is 2 λ T · rate.
template <class D, class V>
HWY_INLINE void couple_vector(D d, const AdamStep& step, V pull, std::size_t at,
                              const CoupledPieces& pieces, const CoupledBuffers& buffers) {
  const std::size_t num_tasks = pieces.offsets.size();
  auto mean = hn::Zero(d);
  for (const std::size_t offset : pieces.offsets) {
    mean = hn::Add(mean, hn::LoadU(d, buffers.parameters + offset + at));
  }
  mean = hn::Mul(mean, hn::Set(d, 1 / static_cast<float>(num_tasks)));
  const auto correction = hn::Set(d, step.v_correction);
  const auto epsilon = hn::Set(d, step.epsilon);
  const auto average_weight = hn::Set(d, step.average_weight);
  for (const std::size_t offset : pieces.offsets) {
    float* const parameters = buffers.parameters + offset + at;
    const auto v = hn::LoadU(d, buffers.second_moments + offset + at);
    const auto size = hn::Add(hn::Sqrt(hn::Mul(v, correction)), epsilon);
    const auto off = hn::Sub(hn::LoadU(d, parameters), mean);
    const auto kept = hn::Div(hn::Mul(off, size), hn::Add(size, pull));
    const auto updated = hn::Add(mean, kept);
    hn::StoreU(updated, d, parameters);
    if (step.average_weight == 0) continue;
    float* const averages = buffers.averages + offset + at;
    const auto average = hn::LoadU(d, averages);
    hn::StoreU(hn::MulAdd(average_weight, hn::Sub(updated, average), average), d, averages);
  }
}

void couple_kernel(const AdamStep& step, const float* strengths, std::size_t stride,
                   const CoupledPieces& pieces, const CoupledBuffers& buffers) {
  const hn::CappedTag<float, kLanes> d;
  const float factor = 2 * step.rate * static_cast<float>(pieces.offsets.size());
  for (std::size_t at = 0; at < pieces.size; at += hn::Lanes(d)) {
    const std::size_t block = at / (stride * kLanes);
    const auto strength = hn::LoadU(d, strengths + block * kLanes + at % kLanes);
    couple_vector(d, step, hn::Mul(strength, hn::Set(d, factor)), at, pieces, buffers);
  }
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace softwood {
namespace {

HWY_EXPORT(couple_kernel);

}  // namespace

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
