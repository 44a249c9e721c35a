// Every operation over one block of rows. Included once per SIMD target.
#if defined(SOFTWOOD_LOSS_OPERATIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_LOSS_OPERATIONS_INL_H_
#undef SOFTWOOD_LOSS_OPERATIONS_INL_H_
#else
#define SOFTWOOD_LOSS_OPERATIONS_INL_H_
#endif

#include <cmath>
#include <span>

#include <hwy/highway.h>

#include "loss/language/incomplete_functions.h"
#include "loss/language/ops.h"
#include "loss/language/special_functions.h"
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

template <class F>
HWY_INLINE void unary(std::size_t rows, const double* const* in, double* target, F&& f) {
  const double* a = in[0];
  for_vectors(rows, target, [&](std::size_t row) HWY_ATTR { return f(load(a, row)); });
}

template <class F>
HWY_INLINE void binary(std::size_t rows, const double* const* in, double* target, F&& f) {
  const double* a = in[0];
  const double* b = in[1];
  for_vectors(rows, target,
              [&](std::size_t row) HWY_ATTR { return f(load(a, row), load(b, row)); });
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

/// What is rare stays scalar.
template <class F>
inline void scalar_unary(std::size_t rows, const double* a, double* target, F&& f) {
  for (std::size_t row = 0; row < rows; ++row) target[row] = f(a[row]);
}
template <class F>
inline void scalar_binary(std::size_t rows, const double* a, const double* b, double* target,
                          F&& f) {
  for (std::size_t row = 0; row < rows; ++row) target[row] = f(a[row], b[row]);
}

template <class F>
inline void scalar_ternary(std::size_t rows, const double* const* in, double* target, F&& f) {
  for (std::size_t row = 0; row < rows; ++row) target[row] = f(in[0][row], in[1][row], in[2][row]);
}

inline void gather(std::size_t rows, std::span<const double* const> in, double* target) {
  const auto count = static_cast<double>(in.size() - 1);
  for (std::size_t row = 0; row < rows; ++row) {
    const double at = in[0][row];
    const bool inside = at >= 0 && at < count && at == std::floor(at);
    target[row] = inside ? in[static_cast<std::size_t>(at) + 1][row] : kNotANumber;
  }
}

inline bool run_comparison(Op op, std::size_t rows, const double* const* in, double* target) {
  const auto each = [&](auto&& f) HWY_ATTR {
    binary(rows, in, target, [&](Vec a, Vec b) HWY_ATTR { return from_mask(f(a, b)); });
    return true;
  };
  switch (op) {
    case Op::equal:
      return each([](Vec a, Vec b) HWY_ATTR { return hn::Eq(a, b); });
    case Op::not_equal:
      return each([](Vec a, Vec b) HWY_ATTR { return hn::Not(hn::Eq(a, b)); });
    case Op::less:
      return each([](Vec a, Vec b) HWY_ATTR { return hn::Lt(a, b); });
    case Op::less_equal:
      return each([](Vec a, Vec b) HWY_ATTR { return hn::Le(a, b); });
    default:
      return false;
  }
}

inline bool run_logic(Op op, std::size_t rows, const double* const* in, double* target) {
  switch (op) {
    case Op::logical_and:
      binary(rows, in, target, [](Vec a, Vec b) HWY_ATTR { return hn::And(a, b); });
      return true;
    case Op::logical_or:
      binary(rows, in, target, [](Vec a, Vec b) HWY_ATTR { return hn::Or(a, b); });
      return true;
    case Op::logical_not:
      unary(rows, in, target, [](Vec a) HWY_ATTR {
        const Bits bits;
        return hn::BitCast(D(), hn::Not(hn::BitCast(bits, a)));
      });
      return true;
    case Op::select:
      for_vectors(rows, target, [&](std::size_t row) HWY_ATTR {
        return hn::IfThenElse(load_mask(in[0], row), load(in[1], row), load(in[2], row));
      });
      return true;
    default:
      return false;
  }
}

inline bool run_arithmetic(Op op, std::size_t rows, const double* const* in, double* target) {
  const auto two = [&](auto&& f) HWY_ATTR {
    binary(rows, in, target, f);
    return true;
  };
  const auto one = [&](auto&& f) HWY_ATTR {
    unary(rows, in, target, f);
    return true;
  };
  switch (op) {
    case Op::add:
      return two([](Vec a, Vec b) HWY_ATTR { return hn::Add(a, b); });
    case Op::subtract:
      return two([](Vec a, Vec b) HWY_ATTR { return hn::Sub(a, b); });
    case Op::multiply:
      return two([](Vec a, Vec b) HWY_ATTR { return hn::Mul(a, b); });
    case Op::divide:
      return two([](Vec a, Vec b) HWY_ATTR { return hn::Div(a, b); });
    // NaN in either operand must survive, which the processor's own min and max do not promise.
    case Op::minimum:
      return two([](Vec a, Vec b)
                     HWY_ATTR { return hn::IfThenElse(hn::Or(hn::Lt(b, a), hn::IsNaN(b)), b, a); });
    case Op::maximum:
      return two([](Vec a, Vec b)
                     HWY_ATTR { return hn::IfThenElse(hn::Or(hn::Gt(b, a), hn::IsNaN(b)), b, a); });
    case Op::strong_multiply:
      return two([](Vec a, Vec b) HWY_ATTR { return strong(a, hn::Mul(a, b)); });
    case Op::strong_divide:
      return two([](Vec a, Vec b) HWY_ATTR { return strong(a, hn::Div(a, b)); });
    case Op::negate:
      return one([](Vec a) HWY_ATTR { return hn::Neg(a); });
    case Op::absolute:
      return one([](Vec a) HWY_ATTR { return hn::Abs(a); });
    case Op::sign:
      return one([](Vec a) HWY_ATTR { return sign(a); });
    case Op::floor:
      return one([](Vec a) HWY_ATTR { return hn::Floor(a); });
    case Op::square_root:
      return one([](Vec a) HWY_ATTR { return hn::Sqrt(a); });
    case Op::exp:
      return one([](Vec a) HWY_ATTR { return exp(a); });
    case Op::log:
      return one([](Vec a) HWY_ATTR { return log(a); });
    case Op::log1p:
      return one([](Vec a) HWY_ATTR { return log1p(a); });
    case Op::expm1:
      return one([](Vec a) HWY_ATTR { return expm1(a); });
    case Op::tanh:
      return one([](Vec a) HWY_ATTR { return tanh(a); });
    default:
      return false;
  }
}

inline void run_special(Op op, std::size_t rows, const double* const* in, double* target) {
  const auto one = [&](double (*f)(double)) { scalar_unary(rows, in[0], target, f); };
  const auto two = [&](double (*f)(double, double)) {
    scalar_binary(rows, in[0], in[1], target, f);
  };
  const auto three = [&](double (*f)(double, double, double)) {
    scalar_ternary(rows, in, target, f);
  };
  switch (op) {
    case Op::power:
      return two([](double a, double b) { return std::pow(a, b); });
    case Op::lgamma:
      return one(loss::lgamma);
    case Op::digamma:
      return one(loss::digamma);
    case Op::trigamma:
      return one(loss::trigamma);
    case Op::erf:
      return one(loss::erf);
    case Op::normal_cdf:
      return one(loss::normal_cdf);
    case Op::normal_log_cdf:
      return one(loss::normal_log_cdf);
    case Op::normal_hazard:
      return one(loss::normal_hazard);
    case Op::gamma_p:
      return two(loss::gamma_p);
    case Op::gamma_q:
      return two(loss::gamma_q);
    case Op::gamma_p_slope:
      return two(loss::gamma_p_slope);
    case Op::beta_p:
      return three(loss::beta_p);
    case Op::beta_q:
      return three(loss::beta_q);
    case Op::beta_p_slope:
      return three(loss::beta_p_slope);
    case Op::log1p_ratio:
      return one(loss::log1p_ratio);
    case Op::log_expm1_ratio:
      return one(loss::log_expm1_ratio);
    case Op::log_expm1_ratio_slope:
      return one(loss::log_expm1_ratio_slope);
    case Op::stirling_error:
      return one(loss::stirling_error);
    case Op::stirling_error_slope:
      return one(loss::stirling_error_slope);
    case Op::log1p_ratio_slope:
      return one(loss::log1p_ratio_slope);
    case Op::log_rising:
      return two(loss::log_rising);
    case Op::log_multichoose:
      return two(loss::log_multichoose);
    case Op::digamma_difference:
      return two(loss::digamma_difference);
    case Op::sum_log1p:
      return two(loss::sum_log1p);
    case Op::sum_log1p_slope:
      return two(loss::sum_log1p_slope);
    default:
      HWY_ASSERT(false);
  }
}

inline void run_instruction(Op op, std::size_t rows, std::span<const double* const> in,
                            double* target) {
  if (op == Op::gather) return gather(rows, in, target);
  if (op == Op::maximum_of) return maximum_of(rows, in, target);
  if (op == Op::sum_except_one) return sum_except_one(rows, in, target);
  if (run_arithmetic(op, rows, in.data(), target)) return;
  if (run_comparison(op, rows, in.data(), target)) return;
  if (run_logic(op, rows, in.data(), target)) return;
  run_special(op, rows, in.data(), target);
}

}  // namespace softwood::loss::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
