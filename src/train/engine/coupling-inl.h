// The pull of one vector of nodes of several tasks towards their mean. Included once per SIMD
// target.
#if defined(SOFTWOOD_TRAIN_COUPLING_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TRAIN_COUPLING_INL_H
#undef SOFTWOOD_TRAIN_COUPLING_INL_H
#else
#define SOFTWOOD_TRAIN_COUPLING_INL_H
#endif

#include <cstddef>
#include <span>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// w_t ← w̄ + (w_t − w̄) · size_t / (size_t + pull) for the vectors at `parameters` + each of
/// `offsets`; `pull` is 2 λ T · rate, `size_at(offset)` Adam's √(v_t · v_correction) + ε.
template <class D, class SizeAt>
HWY_INLINE void couple_vector(D d, hn::Vec<D> pull, std::span<const std::size_t> offsets,
                              float* parameters, const SizeAt& size_at) {
  auto mean = hn::Zero(d);
  for (const std::size_t offset : offsets) {
    mean = hn::Add(mean, hn::LoadU(d, parameters + offset));
  }
  mean = hn::Mul(mean, hn::Set(d, 1 / static_cast<float>(offsets.size())));
  for (const std::size_t offset : offsets) {
    const auto size = size_at(offset);
    const auto off = hn::Sub(hn::LoadU(d, parameters + offset), mean);
    const auto kept = hn::Div(hn::Mul(off, size), hn::Add(size, pull));
    hn::StoreU(hn::Add(mean, kept), d, parameters + offset);
  }
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
