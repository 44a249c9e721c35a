// Elementary functions over Highway vectors of doubles, within about 1 ulp (log1p, expm1, tanh: 2)
// and right at the edges: ±inf, NaN, zeros and denormals. Included once per SIMD target.
#if defined(SOFTWOOD_LOSS_VECTOR_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_LOSS_VECTOR_MATH_INL_H_
#undef SOFTWOOD_LOSS_VECTOR_MATH_INL_H_
#else
#define SOFTWOOD_LOSS_VECTOR_MATH_INL_H_
#endif

#include <array>
#include <limits>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace softwood::loss::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using Bits = hn::RebindToUnsigned<D>;
using Vec = hn::Vec<D>;
using Mask = hn::Mask<D>;

HWY_INLINE Vec number(double value) {
  return hn::Set(D(), value);
}

inline constexpr double kHuge = std::numeric_limits<double>::infinity();
inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kLogTwoHigh = 0x1.62e42fefa38p-1;  // 42 bits: exact times a small integer
inline constexpr double kLogTwoLow = 0x1.ef35793c7673p-45;

template <std::size_t kFirst, std::size_t kCount>
HWY_INLINE Vec every_fourth(const std::array<double, kCount>& coefficients, Vec x4) {
  const Vec first = number(coefficients[kFirst]);
  if constexpr (kFirst + 4 < kCount) {
    return hn::MulAdd(every_fourth<kFirst + 4>(coefficients, x4), x4, first);
  } else {
    return first;
  }
}

/// Σ coefficients[k] xᵏ, in four chains that do not wait for each other.
template <std::size_t kCount>
HWY_INLINE Vec polynomial(const std::array<double, kCount>& coefficients, Vec x) {
  const Vec x2 = hn::Mul(x, x);
  const Vec x4 = hn::Mul(x2, x2);
  const Vec low =
      hn::MulAdd(every_fourth<1>(coefficients, x4), x, every_fourth<0>(coefficients, x4));
  const Vec high =
      hn::MulAdd(every_fourth<3>(coefficients, x4), x, every_fourth<2>(coefficients, x4));
  return hn::MulAdd(high, x2, low);
}

/// 2^n for whole n in [−1022, 1023]: adding 1.5·2^52 leaves n in the low bits.
HWY_INLINE Vec power_of_two(Vec n) {
  const Vec shifted = hn::Add(n, number(0x1.8p52 + 1023));
  return hn::BitCast(D(), hn::ShiftLeft<52>(hn::BitCast(Bits(), shifted)));
}

struct Reduced {
  Vec n;  // whole
  Vec r;  // x = n·log 2 + r, |r| ≤ ½ log 2
};
HWY_INLINE Reduced reduce_by_log_two(Vec x) {
  const Vec n =
      hn::Sub(hn::MulAdd(x, number(0x1.71547652b82fep0), number(0x1.8p52)), number(0x1.8p52));
  const Vec high = hn::NegMulAdd(n, number(kLogTwoHigh), x);
  return {n, hn::NegMulAdd(n, number(kLogTwoLow), high)};
}

/// (exp(r) − 1 − r) / r² on |r| ≤ ½ log 2: the Taylor series, summed in two halves to shorten the
/// chain.
HWY_INLINE Vec exp_remainder(Vec r) {
  const Vec r2 = hn::Mul(r, r);
  const Vec r4 = hn::Mul(r2, r2);
  const auto pair = [r](double a, double b) { return hn::MulAdd(number(b), r, number(a)); };
  const Vec low = hn::MulAdd(pair(1. / 24, 1. / 120), r2, pair(1. / 2, 1. / 6));
  const Vec middle = hn::MulAdd(pair(1. / 40320, 1. / 362880), r2, pair(1. / 720, 1. / 5040));
  const Vec high =
      hn::MulAdd(pair(1. / 479001600, 1. / 6227020800.), r2, pair(1. / 3628800, 1. / 39916800));
  return hn::MulAdd(hn::MulAdd(high, r4, middle), r4, low);
}

HWY_INLINE Vec exp(Vec x) {
  // Beyond these ends the result is 0 or inf anyway; NaN passes through.
  const Vec bounded = hn::IfThenElse(hn::Lt(x, number(-750)), number(-750),
                                     hn::IfThenElse(hn::Gt(x, number(710)), number(710), x));
  const Reduced part = reduce_by_log_two(bounded);
  const Vec p =
      hn::Add(number(1), hn::MulAdd(hn::Mul(part.r, part.r), exp_remainder(part.r), part.r));
  // In two steps, so that denormal results and 2^1024 come out right.
  const Vec half = hn::Floor(hn::Mul(part.n, number(0.5)));
  return hn::Mul(hn::Mul(p, power_of_two(half)), power_of_two(hn::Sub(part.n, half)));
}

HWY_INLINE Vec expm1(Vec x) {
  const Vec bounded = hn::IfThenElse(hn::Lt(x, number(-60)), number(-60),
                                     hn::IfThenElse(hn::Gt(x, number(709.5)), number(709.5), x));
  const Reduced part = reduce_by_log_two(bounded);
  const Vec p = hn::MulAdd(hn::Mul(part.r, part.r), exp_remainder(part.r), part.r);
  // 2^n p + (2^n − 1), halved so that n = 1024 is representable.
  const Vec half_scale = power_of_two(hn::Sub(part.n, number(1)));
  const Vec half = hn::MulAdd(half_scale, p, hn::Sub(half_scale, number(0.5)));
  const Vec result = hn::Add(half, half);
  const Vec tiny_kept = hn::IfThenElse(hn::Eq(part.n, number(0)), p, result);
  return hn::IfThenElse(hn::Gt(x, number(709.78271289338397)), number(kHuge),
                        hn::IfThenElse(hn::Gt(x, number(709.5)), exp(x), tiny_kept));
}

struct Scaled {
  Vec k;  // whole
  Vec f;  // x = 2^k (1 + f), √½ ≤ 1 + f < √2; exact
};
/// Of normal positive x.
HWY_INLINE Scaled split_exponent(Vec x) {
  const Bits bits_tag;
  const auto bits = hn::BitCast(bits_tag, x);
  // Moves the boundary between exponents from 1 to √½.
  const auto moved =
      hn::Add(bits, hn::Set(bits_tag, 0x3ff0000000000000ULL - 0x3fe6a09e667f3bcdULL));
  const auto exponent_bits =
      hn::Or(hn::ShiftRight<52>(moved), hn::Set(bits_tag, 0x4330000000000000ULL));
  const auto mantissa = hn::Add(hn::And(moved, hn::Set(bits_tag, 0x000fffffffffffffULL)),
                                hn::Set(bits_tag, 0x3fe6a09e667f3bcdULL));
  return {hn::Sub(hn::BitCast(D(), exponent_bits), number(0x1p52 + 1023)),
          hn::Sub(hn::BitCast(D(), mantissa), number(1))};
}

/// log x for normal positive x (fdlibm).
HWY_INLINE Vec log_normal(Vec x, Vec extra_exponent) {
  const Scaled scaled = split_exponent(x);
  const Vec k = hn::Add(scaled.k, extra_exponent), f = scaled.f;
  const Vec s = hn::Div(f, hn::Add(number(2), f));
  const Vec z = hn::Mul(s, s);
  const Vec w = hn::Mul(z, z);
  const Vec odd = hn::MulAdd(
      hn::MulAdd(hn::MulAdd(number(1.479819860511658591e-01), w, number(1.818357216161805012e-01)),
                 w, number(2.857142874366239149e-01)),
      w, number(6.666666666666735130e-01));
  const Vec even =
      hn::MulAdd(hn::MulAdd(number(1.531383769920937332e-01), w, number(2.222219843214978396e-01)),
                 w, number(3.999999999940941908e-01));
  const Vec r = hn::MulAdd(odd, z, hn::Mul(even, w));
  const Vec half_square = hn::Mul(number(0.5), hn::Mul(f, f));
  const Vec low = hn::MulAdd(s, hn::Add(half_square, r), hn::Mul(k, number(kLogTwoLow)));
  return hn::MulAdd(k, number(kLogTwoHigh), hn::Sub(f, hn::Sub(half_square, low)));
}

/// What log_normal cannot say: log 0 = −inf, log inf = inf, NaN for negative numbers and NaN.
HWY_INLINE Vec log_edges(Vec x, Vec result) {
  result = hn::IfThenElse(hn::Eq(x, number(0)), number(-kHuge), result);
  result = hn::IfThenElse(hn::Eq(x, number(kHuge)), x, result);
  return hn::IfThenElse(hn::Ge(x, number(0)), result, number(kNotANumber));
}

HWY_INLINE Vec log(Vec x) {
  const Mask denormal = hn::Lt(x, number(std::numeric_limits<double>::min()));
  const Vec scaled = hn::IfThenElse(denormal, hn::Mul(x, number(0x1p54)), x);
  const Vec extra = hn::IfThenElseZero(denormal, number(-54));
  return log_edges(x, log_normal(scaled, extra));
}

/// log u + (x − (u − 1))/u with u = 1 + x rounded: the second part restores what rounding took.
HWY_INLINE Vec log1p(Vec x) {
  const Vec u = hn::Add(number(1), x);
  const Vec lost = hn::Div(hn::Sub(x, hn::Sub(u, number(1))), u);
  const Vec result = hn::Add(log_normal(u, number(0)), lost);
  // Denormals of x come through `lost` whole; u itself is never denormal.
  return log_edges(u, result);
}

HWY_INLINE Vec tanh(Vec x) {
  const Vec t = expm1(hn::Mul(number(-2), hn::Abs(x)));
  return hn::CopySign(hn::Div(t, hn::Add(number(2), t)), x);
}

}  // namespace softwood::loss::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
