// Powers over Highway vectors: 2 last bits, and one more for every 32 of the result's logarithm.
// Included once per SIMD target.
#if defined(SOFTWOOD_LOSS_POWER_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_LOSS_POWER_MATH_INL_H_
#undef SOFTWOOD_LOSS_POWER_MATH_INL_H_
#else
#define SOFTWOOD_LOSS_POWER_MATH_INL_H_
#endif

#include <cmath>
#include <limits>

#include "loss/language/fitted_series.h"
#include "loss/language/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::loss::HWY_NAMESPACE {

/// A number in two parts, of which the second is what the first has rounded away.
struct Twofold {
  Vec high, low;
};

/// high + low, |high| ≥ |low|, without loss.
HWY_INLINE Twofold sum_of(Vec high, Vec low) {
  const Vec sum = hn::Add(high, low);
  return {sum, hn::Sub(low, hn::Sub(sum, high))};
}

/// log x of normal positive x, five bits better than a double: 2^k (1 + f) = 2^k (1 + s)/(1 − s).
HWY_INLINE Twofold precise_log(Vec x) {
  const Scaled scaled = split_exponent(x);
  const Twofold under = sum_of(number(2), scaled.f);
  const Vec s = hn::Div(scaled.f, under.high);
  const Vec left = hn::NegMulAdd(s, under.low, hn::NegMulAdd(s, under.high, scaled.f));
  const Vec s_low = hn::Div(left, under.high);
  const Vec v = hn::Mul(s, s);
  const Vec rest = hn::MulAdd(hn::Mul(s, v), polynomial(kAtanhRest, v), s_low);
  const Twofold main = sum_of(hn::Mul(scaled.k, number(kLogTwoHigh)), hn::Add(s, s));
  const Vec low = hn::MulAdd(scaled.k, number(kLogTwoLow), hn::Add(rest, rest));
  return sum_of(main.high, hn::Add(main.low, low));
}

/// Lanes that the formula is not for: bases that are not positive, results near the ends of what a
/// double can be.
HWY_INLINE Vec replace_unusual_powers(Mask is_usual, Vec a, Vec b, Vec result) {
  const D tag;
  if (hn::AllTrue(tag, is_usual)) return result;
  HWY_ALIGN double bases[hn::MaxLanes(tag)], exponents[hn::MaxLanes(tag)];
  hn::Store(a, tag, bases);
  hn::Store(b, tag, exponents);
  for (std::size_t lane = 0; lane < hn::Lanes(tag); ++lane)
    bases[lane] = std::pow(bases[lane], exponents[lane]);
  return hn::IfThenElse(is_usual, result, hn::Load(tag, bases));
}

/// a to the power b. The formula needs products without rounding: fused multiply-adds.
HWY_INLINE Vec power(Vec a, Vec b) {
#if HWY_NATIVE_FMA
  using Limits = std::numeric_limits<double>;
  constexpr double kFarFromEnds = 700;
  const Twofold log_a = precise_log(a);
  const Vec exponent = hn::Mul(b, log_a.high);
  const Vec low = hn::MulAdd(b, log_a.low, hn::MulSub(b, log_a.high, exponent));
  const Vec main = exp(exponent);
  const Mask has_log = hn::And(hn::Ge(a, number(Limits::min())), hn::Le(a, number(Limits::max())));
  const Mask is_usual = hn::And(has_log, hn::Lt(hn::Abs(exponent), number(kFarFromEnds)));
  return replace_unusual_powers(is_usual, a, b, hn::MulAdd(main, low, main));
#else
  return replace_unusual_powers(hn::MaskFromVec(hn::Zero(D())), a, b, a);
#endif
}

}  // namespace softwood::loss::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
