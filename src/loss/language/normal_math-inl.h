// The normal distribution over Highway vectors, with full relative accuracy in its tails. Included
// once per SIMD target.
#if defined(SOFTWOOD_LOSS_NORMAL_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_LOSS_NORMAL_MATH_INL_H_
#undef SOFTWOOD_LOSS_NORMAL_MATH_INL_H_
#else
#define SOFTWOOD_LOSS_NORMAL_MATH_INL_H_
#endif

#include "loss/language/fitted_series.h"
#include "loss/language/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::loss::HWY_NAMESPACE {

inline constexpr double kInvSqrtTwoPi = 0.39894228040143267794;
inline constexpr double kSqrtTwo = 1.41421356237309504880;

HWY_INLINE Vec at_most(Vec x, double bound) {
  return hn::IfThenElse(hn::Gt(x, number(bound)), number(bound), x);
}

/// exp(−t²/2), t ≥ 0. The square of the first half of t's digits is exact; the rest of t² is so
/// small that a few terms give its exponential.
HWY_INLINE Vec bell(Vec t) {
  const Vec bounded = at_most(t, 100);
  const auto mask = hn::Set(Bits(), ~((1ULL << 27) - 1));
  const Vec high = hn::BitCast(D(), hn::And(hn::BitCast(Bits(), bounded), mask));
  const Vec rest = hn::Mul(hn::Mul(number(0.5), hn::Sub(bounded, high)), hn::Add(bounded, high));
  const Vec third = hn::NegMulAdd(rest, number(1. / 3), number(1));
  const Vec second = hn::NegMulAdd(hn::Mul(rest, number(0.5)), third, number(1));
  const Vec share = hn::NegMulAdd(rest, second, number(1));
  return hn::Mul(exp(hn::Mul(number(-0.5), hn::Mul(high, high))), share);
}

/// (t + 3) times Mills' ratio (1 − Φ(t))/φ(t), t ≥ 0.
HWY_INLINE Vec scaled_mills(Vec t) {
  const Vec bounded = at_most(t, 1e100);
  const Vec place = hn::Div(hn::Sub(bounded, number(3)), hn::Add(bounded, number(3)));
  return polynomial(kMills, place);
}

struct Tail {
  Vec density, beyond;  // φ(t) and 1 − Φ(t)
};
HWY_INLINE Tail tail(Vec t) {
  const Vec density = hn::Mul(number(kInvSqrtTwoPi), bell(t));
  return {density, hn::Div(hn::Mul(density, scaled_mills(t)), hn::Add(t, number(3)))};
}

HWY_INLINE Vec erf(Vec x) {
  const Vec size = hn::Abs(x);
  const Mask is_near = hn::Le(size, number(1));
  const Vec near = hn::Mul(x, polynomial(kErfRatio, hn::Mul(x, x)));
  if (hn::AllTrue(D(), is_near)) return near;
  const Vec beyond = tail(hn::Mul(size, number(kSqrtTwo))).beyond;
  const Vec far = hn::CopySign(hn::NegMulAdd(number(2), beyond, number(1)), x);
  return hn::IfThenElse(is_near, near, far);
}

/// Φ(x).
HWY_INLINE Vec normal_cdf(Vec x) {
  const Vec beyond = tail(hn::Abs(x)).beyond;
  return hn::IfThenElse(hn::Gt(x, number(0)), hn::Sub(number(1), beyond), beyond);
}

/// log Φ(x), accurate to the last bits at any x.
HWY_INLINE Vec normal_log_cdf(Vec x) {
  const Vec t = hn::Abs(x);
  const Vec mills = hn::Div(scaled_mills(t), hn::Add(t, number(3)));
  const Vec log_share = log(hn::Mul(number(kInvSqrtTwoPi), mills));
  const Vec left = hn::MulAdd(hn::Mul(number(-0.5), x), x, log_share);
  const Mask is_right = hn::Gt(x, number(0));
  if (hn::AllFalse(D(), is_right)) return left;
  return hn::IfThenElse(is_right, log1p(hn::Neg(tail(t).beyond)), left);
}

/// φ(x) / Φ(x), the derivative of log Φ: about −x far to the left.
HWY_INLINE Vec normal_hazard(Vec x) {
  const Vec t = hn::Abs(x);
  const Vec left = hn::Div(hn::Add(t, number(3)), scaled_mills(t));
  const Mask is_right = hn::Gt(x, number(0));
  if (hn::AllFalse(D(), is_right)) return left;
  const Tail right = tail(t);
  const Vec falling = hn::Div(right.density, hn::Sub(number(1), right.beyond));
  return hn::IfThenElse(is_right, falling, left);
}

}  // namespace softwood::loss::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
