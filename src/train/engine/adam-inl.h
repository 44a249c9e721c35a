// Adam's step for one vector of parameters. Included once per SIMD target.
#if defined(SOFTWOOD_TRAIN_ADAM_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TRAIN_ADAM_INL_H
#undef SOFTWOOD_TRAIN_ADAM_INL_H
#else
#define SOFTWOOD_TRAIN_ADAM_INL_H
#endif

#include <hwy/highway.h>

#include "train/engine/adam.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The numbers of an AdamStep as vectors: a store to any buffer might have changed the step itself,
/// for all that the compiler knows, and these it may keep in registers.
template <class D>
class AdamVectors {
 public:
  using Vector = hn::Vec<D>;

  HWY_INLINE explicit AdamVectors(const AdamStep& step)
      : l2_(set(step.l2)),
        gradient_scale_(set(step.gradient_scale)),
        beta1_(set(step.beta1)),
        rest1_(set(1 - step.beta1)),
        beta2_(set(step.beta2)),
        rest2_(set(1 - step.beta2)),
        v_correction_(set(step.v_correction)),
        epsilon_(set(step.epsilon)),
        rate_(set(step.rate * step.m_correction)),
        decay_(set(step.decay)),
        average_weight_(set(step.average_weight)) {}

  struct Moved {
    Vector parameters, size;  ///< and √(v·v_correction) + ε
  };
  /// Moves the parameters and their moments.
  HWY_INLINE Moved move(Vector gradient, float* parameters, float* first, float* second) const {
    const D d;
    const auto theta = hn::LoadU(d, parameters);
    const auto g = hn::MulAdd(l2_, theta, hn::Mul(gradient_scale_, gradient));
    const auto m = hn::MulAdd(beta1_, hn::LoadU(d, first), hn::Mul(rest1_, g));
    const auto v = hn::MulAdd(beta2_, hn::LoadU(d, second), hn::Mul(rest2_, hn::Mul(g, g)));
    hn::StoreU(m, d, first);
    hn::StoreU(v, d, second);
    const auto size = denominator(v);
    const auto by = hn::Div(hn::Mul(m, rate_), size);
    const auto moved = hn::Sub(hn::NegMulAdd(decay_, theta, theta), by);
    hn::StoreU(moved, d, parameters);
    return {moved, size};
  }
  HWY_INLINE Vector denominator(Vector v) const {
    return hn::Add(hn::Sqrt(hn::Mul(v, v_correction_)), epsilon_);
  }
  HWY_INLINE void average(Vector parameters, float* averages) const {
    const D d;
    const auto old = hn::LoadU(d, averages);
    hn::StoreU(hn::MulAdd(average_weight_, hn::Sub(parameters, old), old), d, averages);
  }

 private:
  static HWY_INLINE Vector set(float value) { return hn::Set(D(), value); }

  Vector l2_, gradient_scale_, beta1_, rest1_, beta2_, rest2_, v_correction_, epsilon_, rate_,
      decay_, average_weight_;
};

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
