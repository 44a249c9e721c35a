// The function of every primitive (operations.h) over one block of rows: what it computes, for data
// and for constants alike. Included once per SIMD target.
#if defined(SOFTWOOD_LOSS_OPERATIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_LOSS_OPERATIONS_INL_H_
#undef SOFTWOOD_LOSS_OPERATIONS_INL_H_
#else
#define SOFTWOOD_LOSS_OPERATIONS_INL_H_
#endif

#include <array>
#include <cmath>
#include <span>

#include <hwy/highway.h>

#include "loss/language/count_math-inl.h"
#include "loss/language/gamma_math-inl.h"
#include "loss/language/incomplete_functions.h"
#include "loss/language/normal_math-inl.h"
#include "loss/language/operations.h"
#include "loss/language/power_math-inl.h"
#include "loss/language/ratio_math-inl.h"
#include "loss/language/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::loss::HWY_NAMESPACE {

/// Applies a function of whole vectors to blocks of rows.
template <class F>
HWY_INLINE void for_vectors(std::size_t rows, double* target, F&& compute) {
  const D tag;
  for (std::size_t row = 0; row < rows; row += hn::Lanes(tag)) {
    hn::Store(compute(row), tag, target + row);
  }
}

HWY_INLINE Vec load(const double* source, std::size_t row) {
  return hn::LoadU(D(), source + row);
}
HWY_INLINE Mask load_mask(const double* source, std::size_t row) {
  return hn::MaskFromVec(load(source, row));
}
HWY_INLINE Vec from_mask(Mask mask) {
  return hn::VecFromMask(D(), mask);
}

/// Computes one operation: `in` and `target` have `rows` rows, whole vectors.
using Kernel = void(std::size_t rows, std::span<const double* const> in, double* target);

// How functions of vectors, of masks and of single rows become kernels.

template <Vec (*f)(Vec)>
void unary(std::size_t rows, std::span<const double* const> in, double* target) {
  const double* a = in[0];
  for_vectors(rows, target, [&](std::size_t row) HWY_ATTR { return f(load(a, row)); });
}

template <Vec (*f)(Vec, Vec)>
void binary(std::size_t rows, std::span<const double* const> in, double* target) {
  const double *a = in[0], *b = in[1];
  for_vectors(rows, target,
              [&](std::size_t row) HWY_ATTR { return f(load(a, row), load(b, row)); });
}

template <Mask (*f)(Vec, Vec)>
void comparison(std::size_t rows, std::span<const double* const> in, double* target) {
  const double *a = in[0], *b = in[1];
  for_vectors(rows, target,
              [&](std::size_t row) HWY_ATTR { return from_mask(f(load(a, row), load(b, row))); });
}

/// What is rare stays scalar.
template <double (*f)(double, double)>
void scalar_binary(std::size_t rows, std::span<const double* const> in, double* target) {
  for (std::size_t row = 0; row < rows; ++row) target[row] = f(in[0][row], in[1][row]);
}

template <double (*f)(double, double, double)>
void scalar_ternary(std::size_t rows, std::span<const double* const> in, double* target) {
  for (std::size_t row = 0; row < rows; ++row) target[row] = f(in[0][row], in[1][row], in[2][row]);
}

// The functions that are in none of the *_math-inl.h.

HWY_INLINE Vec add(Vec a, Vec b) {
  return hn::Add(a, b);
}
HWY_INLINE Vec subtract(Vec a, Vec b) {
  return hn::Sub(a, b);
}
HWY_INLINE Vec multiply(Vec a, Vec b) {
  return hn::Mul(a, b);
}
HWY_INLINE Vec divide(Vec a, Vec b) {
  return hn::Div(a, b);
}
HWY_INLINE Vec negate(Vec a) {
  return hn::Neg(a);
}
HWY_INLINE Vec absolute(Vec a) {
  return hn::Abs(a);
}
HWY_INLINE Vec floor(Vec a) {
  return hn::Floor(a);
}
HWY_INLINE Vec square_root(Vec a) {
  return hn::Sqrt(a);
}

// NaN in either operand must survive, which the processor's own min and max do not promise.
HWY_INLINE Vec minimum(Vec a, Vec b) {
  return hn::IfThenElse(hn::Or(hn::Lt(b, a), hn::IsNaN(b)), b, a);
}
HWY_INLINE Vec maximum(Vec a, Vec b) {
  return hn::IfThenElse(hn::Or(hn::Gt(b, a), hn::IsNaN(b)), b, a);
}

HWY_INLINE Vec sign(Vec x) {
  const Vec ones = hn::CopySign(number(1), x);
  // Zeros and NaN stand for themselves.
  return hn::IfThenElse(hn::Gt(hn::Abs(x), number(0)), ones, x);
}

HWY_INLINE Vec strong(Vec adjoint, Vec product) {
  // Eq and not Ne, which some targets hold false for NaN: NaN must pass.
  return hn::IfThenZeroElse(hn::Eq(adjoint, number(0)), product);
}
HWY_INLINE Vec strong_multiply(Vec adjoint, Vec b) {
  return strong(adjoint, hn::Mul(adjoint, b));
}
HWY_INLINE Vec strong_divide(Vec adjoint, Vec b) {
  return strong(adjoint, hn::Div(adjoint, b));
}

HWY_INLINE Mask equal(Vec a, Vec b) {
  return hn::Eq(a, b);
}
HWY_INLINE Mask not_equal(Vec a, Vec b) {
  return hn::Not(hn::Eq(a, b));
}
HWY_INLINE Mask less(Vec a, Vec b) {
  return hn::Lt(a, b);
}
HWY_INLINE Mask less_equal(Vec a, Vec b) {
  return hn::Le(a, b);
}

// Conditions are vectors of all bits or none.
HWY_INLINE Vec logical_and(Vec a, Vec b) {
  return hn::And(a, b);
}
HWY_INLINE Vec logical_or(Vec a, Vec b) {
  return hn::Or(a, b);
}
HWY_INLINE Vec logical_not(Vec a) {
  return hn::BitCast(D(), hn::Not(hn::BitCast(Bits(), a)));
}

inline void select(std::size_t rows, std::span<const double* const> in, double* target) {
  for_vectors(rows, target, [&](std::size_t row) HWY_ATTR {
    return hn::IfThenElse(load_mask(in[0], row), load(in[1], row), load(in[2], row));
  });
}

inline void maximum_of(std::size_t rows, std::span<const double* const> in, double* target) {
  for_vectors(rows, target, [&](std::size_t row) HWY_ATTR {
    Vec most = load(in[0], row);
    for (const double* operand : in.subspan(1)) {
      const Vec x = load(operand, row);
      most = hn::IfThenElse(hn::Gt(x, most), x, most);
    }
    return most;
  });
}

inline void sum_except_one(std::size_t rows, std::span<const double* const> in, double* target) {
  for_vectors(rows, target, [&](std::size_t row) HWY_ATTR {
    Vec sum = hn::Zero(D());
    Mask seen = hn::MaskFromVec(hn::Zero(D()));
    for (const double* operand : in) {
      const Vec x = load(operand, row);
      const Mask one = hn::Eq(x, number(1));
      sum = hn::Add(sum, hn::IfThenZeroElse(hn::AndNot(seen, one), x));
      seen = hn::Or(seen, one);
    }
    return sum;
  });
}

inline void gather(std::size_t rows, std::span<const double* const> in, double* target) {
  const auto count = static_cast<double>(in.size() - 1);
  for (std::size_t row = 0; row < rows; ++row) {
    const double at = in[0][row];
    const bool inside = at >= 0 && at < count && at == std::floor(at);
    target[row] = inside ? in[static_cast<std::size_t>(at) + 1][row] : kNotANumber;
  }
}

struct KernelOfOp {
  Op op;
  Kernel* kernel;
};
inline constexpr KernelOfOp kKernelRows[] = {
    {Op::add, binary<add>},
    {Op::subtract, binary<subtract>},
    {Op::multiply, binary<multiply>},
    {Op::divide, binary<divide>},
    {Op::power, binary<power>},
    {Op::minimum, binary<minimum>},
    {Op::maximum, binary<maximum>},
    {Op::negate, unary<negate>},
    {Op::absolute, unary<absolute>},
    {Op::sign, unary<sign>},
    {Op::floor, unary<floor>},
    {Op::square_root, unary<square_root>},
    {Op::strong_multiply, binary<strong_multiply>},
    {Op::strong_divide, binary<strong_divide>},
    {Op::equal, comparison<equal>},
    {Op::not_equal, comparison<not_equal>},
    {Op::less, comparison<less>},
    {Op::less_equal, comparison<less_equal>},
    {Op::logical_and, binary<logical_and>},
    {Op::logical_or, binary<logical_or>},
    {Op::logical_not, unary<logical_not>},
    {Op::select, select},
    {Op::exp, unary<exp>},
    {Op::log, unary<log>},
    {Op::log1p, unary<log1p>},
    {Op::expm1, unary<expm1>},
    {Op::tanh, unary<tanh>},
    {Op::lgamma, unary<lgamma>},
    {Op::digamma, unary<digamma>},
    {Op::trigamma, unary<trigamma>},
    {Op::erf, unary<erf>},
    {Op::normal_cdf, unary<normal_cdf>},
    {Op::normal_log_cdf, unary<normal_log_cdf>},
    {Op::normal_hazard, unary<normal_hazard>},
    {Op::gamma_p, scalar_binary<loss::gamma_p>},
    {Op::gamma_q, scalar_binary<loss::gamma_q>},
    {Op::gamma_p_slope, scalar_binary<loss::gamma_p_slope>},
    {Op::beta_p, scalar_ternary<loss::beta_p>},
    {Op::beta_q, scalar_ternary<loss::beta_q>},
    {Op::beta_p_slope, scalar_ternary<loss::beta_p_slope>},
    {Op::log1p_ratio, unary<log1p_ratio>},
    {Op::log1p_ratio_slope, unary<log1p_ratio_slope>},
    {Op::log_expm1_ratio, unary<log_expm1_ratio>},
    {Op::log_expm1_ratio_slope, unary<log_expm1_ratio_slope>},
    {Op::stirling_error, unary<stirling_error>},
    {Op::stirling_error_slope, unary<stirling_error_slope>},
    {Op::log_rising, binary<log_rising>},
    {Op::log_multichoose, binary<log_multichoose>},
    {Op::digamma_difference, binary<digamma_difference>},
    {Op::sum_log1p, binary<sum_log1p>},
    {Op::sum_log1p_slope, binary<sum_log1p_slope>},
    {Op::gather, gather},
    {Op::maximum_of, maximum_of},
    {Op::sum_except_one, sum_except_one},
};

/// The rows by their operation; does not compile unless every primitive, and nothing else, has one.
consteval std::array<Kernel*, kNumOps> kernels_by_op() {
  std::array<Kernel*, kNumOps> kernels{};
  for (const KernelOfOp& row : kKernelRows) {
    Kernel*& kernel = kernels[static_cast<std::size_t>(row.op)];
    if (kernel != nullptr) throw "an operation has two kernels";
    kernel = row.kernel;
  }
  for (const Operation& each : kOperations) {
    const bool computed = kernels[static_cast<std::size_t>(each.op)] != nullptr;
    if (computed != (each.role == Role::primitive)) throw "primitives are what has a kernel";
  }
  return kernels;
}
inline constexpr std::array<Kernel*, kNumOps> kKernels = kernels_by_op();

HWY_INLINE Kernel* kernel(Op op) {
  return kKernels[static_cast<std::size_t>(op)];
}

}  // namespace softwood::loss::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
