#pragma once

#include <array>
#include <string_view>

#include "loss/language/derivatives.h"
#include "loss/language/expansions.h"
#include "loss/language/ops.h"

namespace softwood::loss {

/// Which pass takes care of an operation.
enum class Role : std::uint8_t {
  leaf,       ///< nobody computes it: it is a constant or stands in the caller's memory
  primitive,  ///< the evaluator: operations-inl.h has its function
  composite,  ///< kept whole for rewrites and derivatives, then expanded to primitives
};

enum class Result : std::uint8_t {
  number,
  condition,
  as_branches,  ///< of select: what its branches are
};

/// The arity of operations over any number of operands.
inline constexpr int kSeveral = -1;

/// All that the passes know of an operation. It has one more function, over blocks of rows
/// (operations-inl.h, compiled for every SIMD target), which folds constants too: there is no
/// second opinion about its values.
struct Operation {
  Op op = Op::num_ops;
  std::string_view name = {};  ///< for people who read a message or a failed test
  int arity = 0;
  Role role = Role::leaf;
  Derivative* derivative = nullptr;
  Expansion* expansion = nullptr;  ///< of composites
  Result result = Result::number;
  int num_conditions = 0;  ///< so many operands, the first ones, are conditions
  bool is_commutative = false;
};

namespace table {

constexpr Operation leaf(Op op, std::string_view name, Result result = Result::number) {
  return {.op = op, .name = name, .derivative = derivatives::stop, .result = result};
}

constexpr Operation primitive(Op op, std::string_view name, int arity, Derivative* derivative) {
  return {
      .op = op, .name = name, .arity = arity, .role = Role::primitive, .derivative = derivative};
}

constexpr Operation condition(Op op, std::string_view name, int arity, int num_conditions) {
  Operation operation = primitive(op, name, arity, derivatives::stop);
  operation.result = Result::condition;
  operation.num_conditions = num_conditions;
  return operation;
}

constexpr Operation composite(Op op, std::string_view name, int arity, Derivative* derivative,
                              Expansion* expansion) {
  Operation operation = primitive(op, name, arity, derivative);
  operation.role = Role::composite;
  operation.expansion = expansion;
  return operation;
}

constexpr Operation choice(Op op, std::string_view name, Derivative* derivative) {
  Operation operation = primitive(op, name, 3, derivative);
  operation.result = Result::as_branches;
  operation.num_conditions = 1;
  return operation;
}

/// The operands may be swapped.
constexpr Operation commutative(Operation operation) {
  operation.is_commutative = true;
  return operation;
}

using derivatives::by_slope;
using derivatives::never_needed;
using derivatives::stop;
namespace slopes = derivatives::slopes;

inline constexpr Operation kRows[] = {
    leaf(Op::constant, "constant"),
    leaf(Op::truth, "truth", Result::condition),
    leaf(Op::response, "response"),
    leaf(Op::output, "output"),
    leaf(Op::column, "column"),

    commutative(primitive(Op::add, "add", 2, derivatives::add)),
    primitive(Op::subtract, "subtract", 2, derivatives::subtract),
    commutative(primitive(Op::multiply, "multiply", 2, derivatives::multiply)),
    primitive(Op::divide, "divide", 2, derivatives::divide),
    primitive(Op::power, "power", 2, derivatives::power),
    primitive(Op::minimum, "minimum", 2, derivatives::minimum),
    primitive(Op::maximum, "maximum", 2, derivatives::maximum),
    primitive(Op::negate, "negate", 1, by_slope<slopes::negate>),
    primitive(Op::absolute, "absolute", 1, by_slope<slopes::absolute>),
    primitive(Op::sign, "sign", 1, stop),
    primitive(Op::floor, "floor", 1, stop),
    primitive(Op::square_root, "square_root", 1, derivatives::square_root),
    primitive(Op::strong_multiply, "strong_multiply", 2, never_needed),
    primitive(Op::strong_divide, "strong_divide", 2, never_needed),

    commutative(condition(Op::equal, "equal", 2, 0)),
    commutative(condition(Op::not_equal, "not_equal", 2, 0)),
    condition(Op::less, "less", 2, 0),
    condition(Op::less_equal, "less_equal", 2, 0),
    commutative(condition(Op::logical_and, "logical_and", 2, 2)),
    commutative(condition(Op::logical_or, "logical_or", 2, 2)),
    condition(Op::logical_not, "logical_not", 1, 1),
    choice(Op::select, "select", derivatives::select),

    primitive(Op::exp, "exp", 1, by_slope<slopes::exp>),
    primitive(Op::log, "log", 1, derivatives::log),
    primitive(Op::log1p, "log1p", 1, derivatives::log1p),
    primitive(Op::expm1, "expm1", 1, by_slope<slopes::expm1>),
    primitive(Op::tanh, "tanh", 1, by_slope<slopes::tanh>),

    primitive(Op::lgamma, "lgamma", 1, by_slope<slopes::as<Op::digamma>>),
    primitive(Op::digamma, "digamma", 1, by_slope<slopes::as<Op::trigamma>>),
    primitive(Op::trigamma, "trigamma", 1, never_needed),
    primitive(Op::erf, "erf", 1, by_slope<slopes::erf>),
    primitive(Op::normal_cdf, "normal_cdf", 1, by_slope<slopes::normal_cdf>),
    primitive(Op::normal_log_cdf, "normal_log_cdf", 1, by_slope<slopes::as<Op::normal_hazard>>),
    primitive(Op::normal_hazard, "normal_hazard", 1, never_needed),
    primitive(Op::gamma_p, "gamma_p", 2, derivatives::rising_in_last),
    primitive(Op::gamma_q, "gamma_q", 2, derivatives::falling_in_last),
    primitive(Op::gamma_p_slope, "gamma_p_slope", 2, never_needed),
    primitive(Op::beta_p, "beta_p", 3, derivatives::rising_in_last),
    primitive(Op::beta_q, "beta_q", 3, derivatives::falling_in_last),
    primitive(Op::beta_p_slope, "beta_p_slope", 3, never_needed),
    primitive(Op::log1p_ratio, "log1p_ratio", 1, by_slope<slopes::as<Op::log1p_ratio_slope>>),
    primitive(Op::log1p_ratio_slope, "log1p_ratio_slope", 1, never_needed),
    primitive(Op::log_expm1_ratio, "log_expm1_ratio", 1,
              by_slope<slopes::as<Op::log_expm1_ratio_slope>>),
    primitive(Op::log_expm1_ratio_slope, "log_expm1_ratio_slope", 1, never_needed),
    primitive(Op::stirling_error, "stirling_error", 1,
              by_slope<slopes::as<Op::stirling_error_slope>>),
    primitive(Op::stirling_error_slope, "stirling_error_slope", 1, never_needed),
    primitive(Op::log_rising, "log_rising", 2, derivatives::log_rising),
    primitive(Op::log_multichoose, "log_multichoose", 2, derivatives::log_multichoose),
    primitive(Op::digamma_difference, "digamma_difference", 2, never_needed),
    primitive(Op::sum_log1p, "sum_log1p", 2, derivatives::sum_log1p),
    primitive(Op::sum_log1p_slope, "sum_log1p_slope", 2, never_needed),

    primitive(Op::gather, "gather", kSeveral, derivatives::gather),
    primitive(Op::maximum_of, "maximum_of", kSeveral, never_needed),
    primitive(Op::sum_except_one, "sum_except_one", kSeveral, never_needed),

    composite(Op::sigmoid, "sigmoid", 1, by_slope<slopes::sigmoid>, expansions::sigmoid),
    composite(Op::softplus, "softplus", 1, by_slope<slopes::as<Op::sigmoid>>, expansions::softplus),
    composite(Op::log_sigmoid, "log_sigmoid", 1, by_slope<slopes::log_sigmoid>,
              expansions::log_sigmoid),
    composite(Op::log_cosh, "log_cosh", 1, by_slope<slopes::as<Op::tanh>>, expansions::log_cosh),
    commutative(
        composite(Op::logaddexp, "logaddexp", 2, derivatives::logaddexp, expansions::logaddexp)),
    composite(Op::log_mix, "log_mix", 2, derivatives::log_mix, expansions::log_mix),
    composite(Op::logsumexp, "logsumexp", kSeveral, derivatives::logsumexp, expansions::logsumexp),
    composite(Op::softmax_at, "softmax_at", kSeveral, derivatives::softmax_at,
              expansions::softmax_at),
    composite(Op::softmax_complement, "softmax_complement", kSeveral,
              derivatives::softmax_complement, expansions::softmax_complement),
    composite(Op::neg_log_softmax, "neg_log_softmax", kSeveral, derivatives::neg_log_softmax,
              expansions::neg_log_softmax),
};

/// The rows by their operation; does not compile if one is missing, given twice or incomplete.
consteval std::array<Operation, kNumOps> by_op() {
  std::array<Operation, kNumOps> operations{};
  for (const Operation& row : kRows) {
    Operation& operation = operations[static_cast<std::size_t>(row.op)];
    if (operation.op != Op::num_ops) throw "an operation has two rows";
    operation = row;
  }
  for (const Operation& operation : operations) {
    if (operation.op == Op::num_ops) throw "an operation has no row";
    if (operation.derivative == nullptr) throw "an operation has no rule for its derivative";
    const bool expands = operation.expansion != nullptr;
    if (expands != (operation.role == Role::composite)) throw "composites are what is expanded";
    const bool has_operands = operation.arity != 0;
    if (has_operands == (operation.role == Role::leaf)) throw "leaves are what has no operands";
  }
  return operations;
}

}  // namespace table

inline constexpr std::array<Operation, kNumOps> kOperations = table::by_op();

constexpr const Operation& operation(Op op) {
  return kOperations[static_cast<std::size_t>(op)];
}
constexpr bool is_boolean(Op op) {
  return operation(op).result == Result::condition;
}
constexpr bool is_leaf(Op op) {
  return operation(op).role == Role::leaf;
}
/// The derivative is known in the last operand alone.
constexpr bool lacks_derivatives(Op op) {
  const Derivative* rule = operation(op).derivative;
  return rule == derivatives::rising_in_last || rule == derivatives::falling_in_last;
}

}  // namespace softwood::loss
