// Sums over the terms of counts, which keep the digits that differences of gamma functions lose,
// over Highway vectors. Included once per SIMD target.
#if defined(SOFTWOOD_LOSS_COUNT_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_LOSS_COUNT_MATH_INL_H_
#undef SOFTWOOD_LOSS_COUNT_MATH_INL_H_
#else
#define SOFTWOOD_LOSS_COUNT_MATH_INL_H_
#endif

#include "loss/language/gamma_math-inl.h"
#include "loss/language/ratio_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::loss::HWY_NAMESPACE {

/// Up to this many terms a sum is better than any formula.
inline constexpr double kFewTerms = 32;

HWY_INLINE Mask is_small_count(Vec n) {
  const Mask is_inside = hn::And(hn::Ge(n, number(0)), hn::Le(n, number(kFewTerms)));
  return hn::And(is_inside, hn::Eq(n, hn::Floor(n)));
}

/// Calls add_term(i, mask) for i from `first` up to the largest n of the lanes in `few`; the mask
/// holds those that have a term i.
template <class F>
HWY_INLINE void for_terms(double first, Vec n, Mask few, F&& add_term) {
  const Vec counts = hn::IfThenElseZero(few, n);
  const double most = hn::GetLane(hn::MaxOfLanes(D(), counts));
  for (double i = first; i < most; ++i) add_term(number(i), hn::Lt(number(i), counts));
}

/// How a function of x and n is computed.
struct Ways {
  Mask by_terms;   // of a small x: none of its products overflows
  Mask by_series;  // Stirling's, whose main terms are subtracted on paper
};
HWY_INLINE Ways ways_of(Vec x, Vec n, Vec z) {
  const Vec from = number(kStirlingFrom);
  const Mask is_small = hn::Lt(hn::Abs(x), from);
  return {hn::And(is_small, is_small_count(n)), hn::And(hn::Ge(x, from), hn::Ge(z, from))};
}

/// What has a value at n = 0 whatever x is.
HWY_INLINE Vec zero_of_none(Vec n, Vec result) {
  return hn::IfThenZeroElse(hn::Eq(n, number(0)), result);
}

/// log Γ(x + n) − log Γ(x): the logarithm of x (x + 1) … (x + n − 1). Keeps its digits for any x >
/// 0, where the difference of two lgammas loses them all.
HWY_INLINE Vec log_rising(Vec x, Vec n) {
  const Vec z = hn::Add(x, n);
  const Ways ways = ways_of(x, n, z);
  Vec product = number(1);
  for_terms(0, n, ways.by_terms, [&](Vec i, Mask has) HWY_ATTR {
    product = hn::IfThenElse(has, hn::Mul(product, hn::Add(x, i)), product);
  });
  const Vec logs = log(hn::IfThenElse(ways.by_terms, product, z));
  Vec result = logs;
  if (any(ways.by_series)) {
    const Vec u = hn::Div(number(1), x), v = hn::Div(number(1), z);
    const Vec growth = hn::Mul(hn::Sub(x, number(0.5)), log1p(hn::Div(n, x)));
    const Vec main = hn::MulAdd(n, hn::Sub(logs, number(1)), growth);
    const Vec series = hn::Add(main, hn::Sub(stirling_remainder(v), stirling_remainder(u)));
    // inf · log 1
    const Vec held = hn::IfThenElse(hn::Eq(x, number(kHuge)), x, series);
    result = hn::IfThenElse(ways.by_series, held, result);
  }
  const Mask neither = hn::Not(hn::Or(ways.by_terms, ways.by_series));
  if (any(neither)) result = hn::IfThenElse(neither, hn::Sub(lgamma(z), lgamma(x)), result);
  return zero_of_none(n, result);
}

/// log Γ(x + n) − log Γ(x) − log Γ(n + 1): for whole x, of the ways to choose n of x things with
/// repetition. Keeps its digits when x, n or both are huge.
HWY_INLINE Vec log_multichoose(Vec x, Vec n) {
  const Mask is_as_asked = hn::Or(hn::Lt(n, x), hn::Le(n, number(kFewTerms)));
  const Vec one_more = hn::Add(n, number(1)), one_less = hn::Sub(x, number(1));
  const Vec from = hn::IfThenElse(is_as_asked, x, one_more);
  const Vec steps = hn::IfThenElse(is_as_asked, n, one_less);
  return hn::Sub(log_rising(from, steps), lgamma(hn::IfThenElse(is_as_asked, one_more, x)));
}

/// ψ(x + n) − ψ(x), their derivative in x.
HWY_INLINE Vec digamma_difference(Vec x, Vec n) {
  const Vec z = hn::Add(x, n);
  const Ways ways = ways_of(x, n, z);
  // Σ 1/(x + i) as one fraction.
  Vec over = number(0), under = number(1);
  for_terms(0, n, ways.by_terms, [&](Vec i, Mask has) HWY_ATTR {
    const Vec factor = hn::Add(x, i);
    over = hn::IfThenElse(has, hn::MulAdd(over, factor, under), over);
    under = hn::IfThenElse(has, hn::Mul(under, factor), under);
  });
  Vec result = hn::Div(over, under);
  if (any(ways.by_series)) {
    const Vec u = hn::Div(number(1), x), v = hn::Div(number(1), z);
    const Vec n_over_x = hn::Div(n, x);
    const Vec ratio = hn::Mul(n_over_x, v);
    const Vec shares = hn::MulAdd(hn::Add(u, v), number(1. / 12), number(0.5));
    const Vec main = hn::MulAdd(ratio, shares, log1p(n_over_x));
    const Vec rest = hn::Sub(digamma_remainder(v), digamma_remainder(u));
    result = hn::IfThenElse(ways.by_series, hn::Add(main, rest), result);
  }
  const Mask neither = hn::Not(hn::Or(ways.by_terms, ways.by_series));
  if (any(neither)) result = hn::IfThenElse(neither, hn::Sub(digamma(z), digamma(x)), result);
  return zero_of_none(n, result);
}

/// The terms 1 + i·a of a ≤ 1; those of a larger a, divided by it: 1/a + i. So no product of few
/// terms overflows.
struct Terms {
  Mask are_divided;
  Vec base, step;  // term i is 1 + (base + i·step)
};
HWY_INLINE Terms terms_of(Vec a, Vec r) {
  const Mask is_large = hn::Gt(a, number(1));
  return {is_large, hn::IfThenElseZero(is_large, hn::Sub(r, number(1))),
          hn::IfThenElse(is_large, number(1), a)};
}

/// Of sum_log1p for a ≤ 1/kStirlingFrom.
HWY_INLINE Vec sum_log1p_by_series(Vec a, Vec n) {
  const Vec z = hn::Mul(n, a);
  const Vec log_z = log1p(z);
  // ((1 + z) log(1 + z) − z)/a, in a form without cancellation for small z.
  const Vec main = hn::Mul(n, hn::MulAdd(z, log1pmx_ratio(z), log_z));
  const Vec u = hn::Div(a, hn::Add(number(1), z));
  const Vec first = hn::Mul(hn::Mul(z, number(1. / 12)), u);
  const Vec rest = hn::Sub(stirling_rest(u), stirling_rest(a));
  return hn::Add(hn::Sub(hn::NegMulAdd(number(0.5), log_z, main), first), rest);
}

/// Σ_{i<n} log(1 + i·a) = log_rising(1/a, n) + n·log a for a > 0; 0 at a = 0. What a negative
/// binomial distribution of dispersion a adds to a Poisson distribution.
HWY_INLINE Vec sum_log1p(Vec a, Vec n) {
  const Vec r = hn::Div(number(1), a);
  const Mask by_terms = is_small_count(n);
  const Mask by_series = hn::AndNot(by_terms, hn::Le(a, number(1 / kStirlingFrom)));
  const Mask neither = hn::Not(hn::Or(by_terms, by_series));
  Vec result = number(0);
  if (any(by_terms)) {
    const Terms terms = terms_of(a, r);
    Vec excess = number(0);  // the product so far, minus 1
    for_terms(1, n, by_terms, [&](Vec i, Mask has) HWY_ATTR {
      const Vec more = hn::MulAdd(i, terms.step, terms.base);
      const Vec next = hn::Add(excess, hn::MulAdd(excess, more, more));
      excess = hn::IfThenElse(has, next, excess);
    });
    result = log1p(excess);
    if (any(terms.are_divided)) {
      const Vec taken = hn::Mul(hn::Sub(n, number(1)), log(a));
      result = hn::Add(result, hn::IfThenElseZero(terms.are_divided, taken));
    }
  }
  if (any(by_series)) result = hn::IfThenElse(by_series, sum_log1p_by_series(a, n), result);
  if (any(neither)) {
    const Vec difference = hn::Sub(lgamma(hn::Add(n, r)), lgamma(r));
    result = hn::IfThenElse(neither, hn::MulAdd(n, log(a), difference), result);
  }
  const Mask is_inside = hn::And(hn::Gt(a, number(0)), hn::Gt(n, number(0)));
  const Mask is_none = hn::Or(hn::Eq(a, number(0)), hn::Eq(n, number(0)));
  const Mask is_zero = hn::And(is_none, hn::Lt(hn::Add(a, n), number(kHuge)));
  result = hn::IfThenElse(is_inside, result, number(kNotANumber));
  return hn::IfThenZeroElse(is_zero, result);
}

/// Of sum_log1p_slope for a ≤ 1/kStirlingFrom.
HWY_INLINE Vec sum_log1p_slope_by_series(Vec a, Vec n, Vec r) {
  const Vec z = hn::Mul(n, a);
  const Vec share = hn::Div(number(1), hn::Add(number(1), z));
  const Vec u = hn::Mul(a, share);
  const Vec second = hn::Mul(hn::Mul(n, u), hn::MulAdd(share, number(1. / 12), number(1. / 12)));
  const Vec first = hn::MulAdd(hn::Mul(number(0.5), n), share, second);
  const Vec remainders = hn::Sub(digamma_remainder(u), digamma_remainder(a));
  // Of larger r it is nothing, and r² may be infinite.
  const Vec rest = hn::IfThenElseZero(hn::Lt(r, number(1e6)), hn::Mul(remainders, hn::Mul(r, r)));
  const Vec main = hn::Mul(hn::Neg(hn::Mul(n, n)), log1pmx_ratio(z));
  return hn::Sub(hn::Sub(main, first), rest);
}

/// Its derivative in a: Σ_{i<n} i / (1 + i·a).
HWY_INLINE Vec sum_log1p_slope(Vec a, Vec n) {
  const Vec r = hn::Div(number(1), a);
  const Mask by_terms = is_small_count(n);
  const Mask by_series = hn::AndNot(by_terms, hn::Le(a, number(1 / kStirlingFrom)));
  const Mask neither = hn::Not(hn::Or(by_terms, by_series));
  Vec result = number(0);
  if (any(by_terms)) {
    const Terms terms = terms_of(a, r);
    Vec over = number(0), under = number(1);
    for_terms(1, n, by_terms, [&](Vec i, Mask has) HWY_ATTR {
      const Vec term = hn::Add(number(1), hn::MulAdd(i, terms.step, terms.base));
      over = hn::IfThenElse(has, hn::MulAdd(over, term, hn::Mul(i, under)), over);
      under = hn::IfThenElse(has, hn::Mul(under, term), under);
    });
    const Vec scale = hn::IfThenElse(terms.are_divided, r, number(1));
    result = hn::Mul(hn::Div(over, under), scale);
  }
  if (any(by_series)) {
    result = hn::IfThenElse(by_series, sum_log1p_slope_by_series(a, n, r), result);
  }
  if (any(neither)) {
    const Vec difference = hn::Sub(digamma(hn::Add(n, r)), digamma(r));
    const Vec value = hn::Mul(r, hn::NegMulAdd(r, difference, n));
    result = hn::IfThenElse(neither, value, result);
  }
  const Mask is_inside = hn::And(hn::Ge(a, number(0)), hn::Gt(n, number(0)));
  return zero_of_none(n, hn::IfThenElse(is_inside, result, number(kNotANumber)));
}

}  // namespace softwood::loss::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
