#include "train/engine/adam.h"

#include <cassert>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "train/engine/adam.cpp"
// Highway wants this order.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "train/engine/adam-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// Whole vectors of D from `at` on; returns where the rest begins.
template <class D>
HWY_INLINE std::size_t update_vectors(D d, const AdamStep& step, std::size_t at, std::size_t count,
                                      float* parameters, const float* gradients, float* first,
                                      float* second, float* averages) {
  const AdamVectors<D> adam(step);
  const bool takes_average = step.average_weight != 0;
  for (; at + hn::Lanes(d) <= count; at += hn::Lanes(d)) {
    const auto moved =
        adam.move(hn::LoadU(d, gradients + at), parameters + at, first + at, second + at);
    if (takes_average) adam.average(moved.parameters, averages + at);
  }
  return at;
}

void update_kernel(const AdamStep& step, std::size_t count, float* parameters,
                   const float* gradients, float* first, float* second, float* averages) {
  const auto update = [&](auto d, std::size_t at) HWY_ATTR {
    return update_vectors(d, step, at, count, parameters, gradients, first, second, averages);
  };
  update(hn::CappedTag<float, 1>(), update(hn::ScalableTag<float>(), 0));
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace softwood {
namespace {

HWY_EXPORT(update_kernel);

}  // namespace

void adam_update(const AdamStep& step, std::span<float> parameters,
                 std::span<const float> gradients, std::span<float> first_moments,
                 std::span<float> second_moments, std::span<float> averages) {
  assert(gradients.size() == parameters.size() && first_moments.size() == parameters.size() &&
         second_moments.size() == parameters.size() && averages.size() == parameters.size());
  HWY_DYNAMIC_DISPATCH(update_kernel)
  (step, parameters.size(), parameters.data(), gradients.data(), first_moments.data(),
   second_moments.data(), averages.data());
}

}  // namespace softwood
#endif
