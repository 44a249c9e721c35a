// Quotients that stay smooth where both sides are 0, over Highway vectors. Included once per SIMD
// target.
#if defined(SOFTWOOD_LOSS_RATIO_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_LOSS_RATIO_MATH_INL_H_
#undef SOFTWOOD_LOSS_RATIO_MATH_INL_H_
#else
#define SOFTWOOD_LOSS_RATIO_MATH_INL_H_
#endif

#include "loss/language/fitted_series.h"
#include "loss/language/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::loss::HWY_NAMESPACE {

/// Where log(1 + x) has its series in s = x/(2 + x), |s| ≤ ⅓.
HWY_INLINE Mask is_near_one(Vec x) {
  return hn::And(hn::Ge(x, number(-0.5)), hn::Le(x, number(1)));
}

/// (log(1 + x) − x) / x², for such x: log(1 + x) is 2 atanh(s), and 2s − x is −x²/(2 + x).
HWY_INLINE Vec log1pmx_ratio_near_one(Vec x) {
  const Vec inverse = hn::Div(number(1), hn::Add(number(2), x));
  const Vec s = hn::Mul(x, inverse);
  const Vec rest =
      hn::Mul(hn::Mul(number(2), s), hn::Mul(inverse, polynomial(kAtanhRest, hn::Mul(s, s))));
  return hn::Mul(inverse, hn::Sub(rest, number(1)));
}

/// (log(1 + x) − x) / x².
HWY_INLINE Vec log1pmx_ratio(Vec x) {
  const Mask is_near = is_near_one(x);
  const Vec near = log1pmx_ratio_near_one(x);
  if (hn::AllTrue(D(), is_near)) return near;
  return hn::IfThenElse(is_near, near, hn::Div(hn::Div(hn::Sub(log1p(x), x), x), x));
}

/// log(1 + x) / x; 1 at 0.
HWY_INLINE Vec log1p_ratio(Vec x) {
  const Vec ratio = hn::Div(log1p(x), x);
  const Vec held = hn::IfThenElse(hn::Eq(x, number(0)), number(1), ratio);
  return hn::IfThenZeroElse(hn::Eq(x, number(kHuge)), held);
}

/// Its derivative, 1/(x (1 + x)) − log(1 + x)/x².
HWY_INLINE Vec log1p_ratio_slope(Vec x) {
  const Mask is_near = is_near_one(x);
  const Vec falling = hn::Div(number(1), hn::Add(number(1), x));
  const Vec near = hn::Neg(hn::Add(falling, log1pmx_ratio_near_one(x)));
  if (hn::AllTrue(D(), is_near)) return near;
  const Vec far = hn::Div(hn::Sub(falling, hn::Div(log1p(x), x)), x);
  const Vec held = hn::IfThenZeroElse(hn::Eq(x, number(kHuge)), far);
  return hn::IfThenElse(is_near, near, held);
}

/// log((exp(x) − 1) / x); 0 at 0.
HWY_INLINE Vec log_expm1_ratio(Vec x) {
  const Vec size = hn::Abs(x);
  const Mask is_near = hn::Le(size, number(1));
  const Vec w = hn::Mul(x, x);
  const Vec near = hn::MulAdd(w, polynomial(kLogSinhc, w), hn::Mul(number(0.5), x));
  if (hn::AllTrue(D(), is_near)) return near;
  const Vec share = hn::Div(hn::Neg(expm1(hn::Neg(size))), size);
  const Vec far = hn::Add(log(share), hn::ZeroIfNegative(x));
  const Vec held = hn::IfThenElse(hn::Eq(x, number(kHuge)), x, far);
  return hn::IfThenElse(is_near, near, held);
}

/// Its derivative, 1/(1 − exp(−x)) − 1/x.
HWY_INLINE Vec log_expm1_ratio_slope(Vec x) {
  const Mask is_near = hn::Le(hn::Abs(x), number(1));
  const Vec near = hn::MulAdd(x, polynomial(kLogSinhcSlope, hn::Mul(x, x)), number(0.5));
  if (hn::AllTrue(D(), is_near)) return near;
  const Vec growth = hn::Div(number(-1), expm1(hn::Neg(x)));
  return hn::IfThenElse(is_near, near, hn::Sub(growth, hn::Div(number(1), x)));
}

}  // namespace softwood::loss::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
