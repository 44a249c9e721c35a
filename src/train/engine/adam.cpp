#include "train/engine/adam.h"

#include <cassert>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "train/engine/adam.cpp"
// Highway wants this order.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// One vector of parameters; `d` is a full vector or, for the tail, a single lane.
template <class D>
HWY_INLINE void update_vector(D d, const AdamStep& step, std::size_t at, float* parameters,
                              const float* gradients, float* first, float* second,
                              float* averages) {
  const auto set = [d](float value) { return hn::Set(d, value); };
  const auto theta = hn::LoadU(d, parameters + at);
  const auto g = hn::MulAdd(set(step.l2), theta,
                            hn::Mul(set(step.gradient_scale), hn::LoadU(d, gradients + at)));
  const auto m =
      hn::MulAdd(set(step.beta1), hn::LoadU(d, first + at), hn::Mul(set(1 - step.beta1), g));
  const auto v = hn::MulAdd(set(step.beta2), hn::LoadU(d, second + at),
                            hn::Mul(set(1 - step.beta2), hn::Mul(g, g)));
  hn::StoreU(m, d, first + at);
  hn::StoreU(v, d, second + at);
  const auto size = hn::Add(hn::Sqrt(hn::Mul(v, set(step.v_correction))), set(step.epsilon));
  const auto move = hn::Div(hn::Mul(m, set(step.rate * step.m_correction)), size);
  const auto updated = hn::Sub(hn::NegMulAdd(set(step.decay), theta, theta), move);
  hn::StoreU(updated, d, parameters + at);
  if (step.average_weight != 0) {
    const auto average = hn::LoadU(d, averages + at);
    hn::StoreU(hn::MulAdd(set(step.average_weight), hn::Sub(updated, average), average), d,
               averages + at);
  }
}

void update_kernel(const AdamStep& step, std::size_t count, float* parameters,
                   const float* gradients, float* first, float* second, float* averages) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t at = 0;
  for (; at + lanes <= count; at += lanes) {
    update_vector(d, step, at, parameters, gradients, first, second, averages);
  }
  for (; at < count; ++at) {
    update_vector(one, step, at, parameters, gradients, first, second, averages);
  }
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
