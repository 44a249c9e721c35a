#pragma once

#include <cstddef>
#include <cstdint>

namespace softwood::loss {

/// What a node of the program computes. Every operation is elementwise over rows: vectors of the
/// language are unrolled into one node per component. operations.h says of each all that the
/// passes of the compiler need to know.
enum class Op : std::uint8_t {
  // Leaves.
  constant,  ///< a number
  truth,     ///< a boolean constant
  response,  ///< y
  output,    ///< raw output `index`
  column,    ///< data column `index`
  // Arithmetic.
  add,
  subtract,
  multiply,
  divide,
  power,
  minimum,
  maximum,
  negate,
  absolute,
  sign,
  floor,
  square_root,
  // A product and a quotient whose first operand, if exactly 0, makes the result 0: adjoints.
  strong_multiply,
  strong_divide,
  // Comparisons and booleans.
  equal,
  not_equal,
  less,
  less_equal,
  logical_and,
  logical_or,
  logical_not,
  select,  ///< if(condition, a, b)
  // Elementary functions, vectorised.
  exp,
  log,
  log1p,
  expm1,
  tanh,
  // Special functions; the incomplete ones, which only cdfs use, one row at a time.
  lgamma,
  digamma,
  trigamma,
  erf,
  normal_cdf,
  normal_log_cdf,
  normal_hazard,  ///< φ(x) / Φ(x), the derivative of normal_log_cdf
  gamma_p,
  gamma_q,
  gamma_p_slope,  ///< in x, as the next
  beta_p,
  beta_q,
  beta_p_slope,
  log1p_ratio,
  log1p_ratio_slope,
  log_expm1_ratio,
  log_expm1_ratio_slope,
  stirling_error,
  stirling_error_slope,
  log_rising,
  log_multichoose,
  digamma_difference,
  sum_log1p,
  sum_log1p_slope,
  // Over several operands.
  gather,          ///< operand 0 picks one of the others; out of range gives NaN
  maximum_of,      ///< the largest operand
  sum_except_one,  ///< the sum without one operand that equals 1
  // Composites: kept whole for rewrites and derivatives, then expanded to the operations above.
  sigmoid,
  softplus,
  log_sigmoid,
  log_cosh,
  logaddexp,
  log_mix,             ///< log(1 − σ(l) + σ(l)·exp(x)) of (l, x)
  logsumexp,           ///< of all operands
  softmax_at,          ///< component `index` of the softmax of all operands
  softmax_complement,  ///< one minus that
  neg_log_softmax,     ///< −log softmax of operands 1 … at the index in operand 0
  // No operation, but how many there are: it stays last. No other place in this list means
  // anything.
  num_ops,
};

inline constexpr std::size_t kNumOps = static_cast<std::size_t>(Op::num_ops);

}  // namespace softwood::loss
