// S(z), the probability of going left. Each activation keeps one number per node and row, from
// which both S(z) and S'(z) follow without z.
#if defined(SOFTWOOD_TREE_ACTIVATION_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_ACTIVATION_INL_H
#undef SOFTWOOD_TREE_ACTIVATION_INL_H
#else
#define SOFTWOOD_TREE_ACTIVATION_INL_H
#endif

#include "tree/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// Bounds that keep a NaN. The x86 instructions return their second operand when they meet one; the
/// instructions of other machines may lose it.
HWY_INLINE Vector at_most(Vector value, float bound) {
  const Vector limit = broadcast(bound);
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return hn::Min(limit, value);
#else
  return hn::IfThenElse(hn::Gt(value, limit), limit, value);
#endif
}
HWY_INLINE Vector at_least(Vector value, float bound) {
  const Vector limit = broadcast(bound);
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return hn::Max(limit, value);
#else
  return hn::IfThenElse(hn::Lt(value, limit), limit, value);
#endif
}

/// 2^f = Σ kExp2[i]·f^i for |f| ≤ 1/2 to 6e-9, by interpolation at the Chebyshev nodes.
inline constexpr float kExp2[] = {1.0F,           0.693147182F,   0.240226507F,   0.0555035695F,
                                  0.00961808302F, 0.00133908633F, 0.000154531634F};

/// exp(−z) for |z| ≤ 87, to a few units in the last place: −z·log2 e = n + f with n whole and
/// |f| ≤ 1/2; 2^f by a polynomial, 2^n by adding n to the exponent.
HWY_INLINE Vector exp_of_negative(Vector z) {
  const Floats d;
  const hn::RebindToSigned<Floats> integers;
  // Adding 1.5 · 2^23 rounds to a whole number and leaves it in the low bits.
  const Vector shift = broadcast(12582912.0F);
  const Vector log2_e = broadcast(-1.44269504088896341F);
  const Vector shifted = hn::MulAdd(z, log2_e, shift);
  const Vector f = hn::MulAdd(z, log2_e, hn::Sub(shift, shifted));
  Vector p = broadcast(kExp2[6]);
  HWY_UNROLL(6) for (int i = 5; i >= 0; --i) p = hn::MulAdd(p, f, broadcast(kExp2[i]));
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(integers, shifted));
  return hn::BitCast(d, hn::Add(hn::BitCast(integers, p), exponent));
}

/// S(z) = 1 / (1 + exp(−z)); kept: s = S(z); S'(z) = s (1 − s).
struct Logistic {
  explicit Logistic(float) {}
  HWY_INLINE Vector operator()(Vector z) const {
    // Beyond ±87 exp leaves the range of normal floats, and s has reached 0 or 1.
    const Vector bounded = at_least(at_most(z, 87.0F), -87.0F);
    const Vector one = broadcast(1.0F);
    return hn::Div(one, hn::Add(one, exp_of_negative(bounded)));
  }
  HWY_INLINE Vector probability(Vector kept) const { return kept; }
  HWY_INLINE Vector slope(Vector kept) const { return hn::NegMulAdd(kept, kept, kept); }
};

/// S(z) = 3u² − 2u³ with u = z/γ + 1/2 clipped to [0, 1], which is −2z³/γ³ + 3z/(2γ) + 1/2 between
/// ±γ/2 and exactly 0 or 1 outside; kept: u; S'(z) = 6u (1 − u) / γ, exactly 0 outside.
struct SmoothStep {
  explicit SmoothStep(float gamma) : per_gamma(1.0F / gamma), slope_scale(6.0F / gamma) {}
  float per_gamma, slope_scale;
  HWY_INLINE Vector operator()(Vector z) const {
    const Vector u = hn::MulAdd(z, broadcast(per_gamma), broadcast(0.5F));
    return at_least(at_most(u, 1.0F), 0.0F);
  }
  HWY_INLINE Vector probability(Vector u) const {
    return hn::Mul(hn::Mul(u, u), hn::NegMulAdd(broadcast(2.0F), u, broadcast(3.0F)));
  }
  HWY_INLINE Vector slope(Vector u) const {
    return hn::Mul(broadcast(slope_scale), hn::NegMulAdd(u, u, u));
  }
};

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
