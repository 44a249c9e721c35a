// The gamma functions over Highway vectors, within a few last bits of any x > 0, zeros included;
// negative numbers, which no loss meets but by mistake, one by one. Included once per SIMD target.
#if defined(SOFTWOOD_LOSS_GAMMA_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_LOSS_GAMMA_MATH_INL_H_
#undef SOFTWOOD_LOSS_GAMMA_MATH_INL_H_
#else
#define SOFTWOOD_LOSS_GAMMA_MATH_INL_H_
#endif

#include "loss/language/fitted_series.h"
#include "loss/language/gamma_of_negatives.h"
#include "loss/language/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::loss::HWY_NAMESPACE {

inline constexpr double kLogSqrtTwoPi = 0.91893853320467274178;

// A lane's result never depends on its neighbours: what is skipped would have changed no lane.

HWY_INLINE bool any(Mask mask) {
  return !hn::AllFalse(D(), mask);
}

/// `result`, but f(x) of the lanes in `rare`, one at a time.
template <double (*f)(double)>
HWY_INLINE Vec replace_rare(Mask rare, Vec x, Vec result) {
  if (!any(rare)) return result;
  const D tag;
  HWY_ALIGN double numbers[hn::MaxLanes(tag)], values[hn::MaxLanes(tag)];
  hn::Store(x, tag, numbers);
  for (std::size_t lane = 0; lane < hn::Lanes(tag); ++lane) values[lane] = f(numbers[lane]);
  return hn::IfThenElse(rare, hn::Load(tag, values), result);
}

// What is left of each function when its main terms are taken from it, with u = 1/z for
// z ≥ kStirlingFrom.

/// Of log Γ(z) − ((z − ½) log z − z + ½ log 2π) − 1/(12z).
HWY_INLINE Vec stirling_rest(Vec u) {
  const Vec w = hn::Mul(u, u);
  return hn::Mul(hn::Mul(u, w), polynomial(kStirlingRest, w));
}
/// log Γ(z) − ((z − ½) log z − z + ½ log 2π).
HWY_INLINE Vec stirling_remainder(Vec u) {
  return hn::MulAdd(u, number(1. / 12), stirling_rest(u));
}
/// ψ(z) − (log z − 1/(2z) − 1/(12z²)).
HWY_INLINE Vec digamma_remainder(Vec u) {
  const Vec w = hn::Mul(u, u);
  return hn::Mul(hn::Mul(w, w), polynomial(kDigammaRest, w));
}

/// With t as far from 0 as x is from 0, 1 or 2: log Γ(2 + t), less the logarithm of what the
/// recurrence from x to 2 + t multiplies by; for x up to kStirlingFrom. From there on Stirling's
/// formula, in a form whose terms do not cancel.
HWY_INLINE Vec lgamma_by_series(Vec x) {
  const Mask is_small = hn::Lt(x, number(kStirlingFrom));
  const Mask below_half = hn::Lt(x, number(0.5)), below_three_halves = hn::Lt(x, number(1.5));
  const Vec raised = hn::IfThenElse(below_half, hn::MulAdd(x, x, x), x);
  const Mask has_no_log = hn::AndNot(below_three_halves, is_small);
  const Vec log_x = log(hn::IfThenElse(has_no_log, number(1), raised));
  Vec result = x;
  if (!hn::AllTrue(D(), is_small)) {
    const Vec main = hn::Mul(hn::Sub(x, number(0.5)), hn::Sub(log_x, number(1)));
    const Vec rest = stirling_remainder(hn::Div(number(1), x));
    result = hn::Add(main, hn::Add(number(kLogSqrtTwoPi - 0.5), rest));
  }
  if (!any(is_small)) return result;
  const Vec origin = hn::IfThenElse(below_three_halves, number(1), number(2));
  const Vec t = hn::IfThenElse(below_half, x, hn::Sub(x, origin));
  const Vec near_two = hn::Mul(t, polynomial(kLgammaNearTwo, t));
  result = hn::IfThenElse(is_small, hn::Sub(near_two, log_x), result);
  return replace_rare<lgamma_of_negative>(hn::Lt(x, number(0)), x, result);
}

constexpr std::size_t kNumFactorials = 256;
struct SmallLgammas {
  HWY_ALIGN double values[kNumFactorials];

  SmallLgammas() {
    const D tag;
    for (std::size_t n = 0; n < kNumFactorials; n += hn::Lanes(tag))
      hn::Store(lgamma_by_series(hn::Iota(tag, static_cast<double>(n))), tag, values + n);
  }
};
/// What the series gives for 0, 1, …: responses of counts are nothing else.
inline const double* small_lgammas() {
  static const SmallLgammas table;
  return table.values;
}

HWY_INLINE Vec lgamma(Vec x) {
  const hn::RebindToSigned<D> whole_tag;
  const Mask is_inside = hn::And(hn::Ge(x, number(0)), hn::Lt(x, number(kNumFactorials)));
  const auto whole = hn::ConvertTo(whole_tag, hn::IfThenElseZero(is_inside, x));
  const Mask is_tabled = hn::And(is_inside, hn::Eq(hn::ConvertTo(D(), whole), x));
  if (!hn::AllTrue(D(), is_tabled)) return lgamma_by_series(x);
  return hn::GatherIndex(D(), small_lgammas(), whole);
}

/// Between 1 and 2 a polynomial times the distance from the root; one step of the recurrence up to
/// kStirlingFrom; then the asymptotic series.
HWY_INLINE Vec digamma(Vec x) {
  const Mask is_small = hn::Lt(x, number(kStirlingFrom));
  const Mask is_below = hn::Lt(x, number(1)), is_above = hn::Gt(x, number(2));
  const Vec one_less = hn::Sub(x, number(1));
  const Vec stepped_over = hn::IfThenElse(is_below, hn::Neg(hn::Abs(x)), one_less);
  const Vec u = hn::Div(number(1), hn::IfThenElse(is_small, stepped_over, x));
  Vec result = x;
  if (!hn::AllTrue(D(), is_small)) {
    const Vec first = hn::Mul(u, hn::MulAdd(u, number(1. / 12), number(0.5)));
    result = hn::Add(hn::Sub(log(x), first), digamma_remainder(u));
  }
  if (!any(is_small)) return result;
  const Vec z =
      hn::IfThenElse(is_below, hn::Add(x, number(1)), hn::IfThenElse(is_above, one_less, x));
  const Vec from_root = hn::Sub(hn::Sub(z, number(kDigammaRoot)), number(kDigammaRootLow));
  const Vec between = hn::Mul(from_root, polynomial(kDigammaNearRoot, hn::Sub(z, number(1.5))));
  const Vec step = hn::IfThenElseZero(hn::Or(is_below, is_above), u);
  result = hn::IfThenElse(is_small, hn::Add(between, step), result);
  return replace_rare<digamma_of_negative>(hn::Lt(x, number(0)), x, result);
}

/// Three steps of the recurrence, none of which cancels, lead to the asymptotic series.
HWY_INLINE Vec trigamma(Vec x) {
  Vec z = x, sum = number(0);
  for (int step = 0; step < 3; ++step) {
    const Mask is_small = hn::Lt(z, number(kStirlingFrom));
    const Vec inverse = hn::Div(number(1), z);
    sum = hn::IfThenElse(is_small, hn::MulAdd(inverse, inverse, sum), sum);
    z = hn::IfThenElse(is_small, hn::Add(z, number(1)), z);
  }
  const Vec u = hn::Div(number(1), z);
  const Vec w = hn::Mul(u, u);
  const Vec tail =
      hn::MulAdd(hn::Mul(u, w), polynomial(kTrigammaRest, w), hn::MulAdd(w, number(0.5), u));
  return replace_rare<trigamma_of_negative>(hn::Lt(x, number(0)), x, hn::Add(sum, tail));
}

/// log Γ(x) − ((x − ½) log x − x + ½ log 2π).
HWY_INLINE Vec stirling_error(Vec x) {
  const Vec far = stirling_remainder(hn::Div(number(1), x));
  const Mask is_small = hn::Lt(x, number(kStirlingFrom));
  if (!any(is_small)) return far;
  const Vec main = hn::MulSub(hn::Sub(x, number(0.5)), log(x), x);
  const Vec near = hn::Sub(lgamma(x), hn::Add(main, number(kLogSqrtTwoPi)));
  return hn::IfThenElse(is_small, near, far);
}

/// ψ(x) − log x + 1/(2x).
HWY_INLINE Vec stirling_error_slope(Vec x) {
  const Vec u = hn::Div(number(1), x);
  const Vec far = hn::NegMulAdd(hn::Mul(u, u), number(1. / 12), digamma_remainder(u));
  const Mask is_small = hn::Lt(x, number(kStirlingFrom));
  if (!any(is_small)) return far;
  const Vec near = hn::MulAdd(u, number(0.5), hn::Sub(digamma(x), log(x)));
  return hn::IfThenElse(is_small, near, far);
}

}  // namespace softwood::loss::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
