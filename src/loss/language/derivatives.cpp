#include "loss/language/derivatives.h"

#include <stdexcept>

#include <fmt/format.h>

#include "loss/language/adjoints.h"
#include "loss/language/operations.h"

namespace softwood::loss::derivatives {
namespace {

constexpr double kTwoOverSqrtPi = 1.12837916709551257390;
constexpr double kInvSqrtTwoPi = 0.39894228040143267794;

/// scale · exp(exponent · x²).
NodeId gaussian(Adjoints& a, NodeId x, double scale, double exponent) {
  const NodeId power = a.multiply(a.constant(exponent), a.multiply(x, x));
  return a.multiply(a.constant(scale), a.op(Op::exp, power));
}

/// A tie goes to the first operand.
void pass_to_first_if(Adjoints& a, NodeId first, const Node& node, NodeId adjoint) {
  a.pass_if(first, true, node.operands[0], adjoint);
  a.pass_if(first, false, node.operands[1], adjoint);
}

void in_last(Adjoints& a, NodeId id, const Node& node, NodeId adjoint) {
  const auto& f = node.operands;
  for (std::size_t k = 0; k + 1 < f.size(); ++k) {
    if (a.varies(f[k])) a.miss(id, k);
  }
  const Op slope = f.size() == 2 ? Op::gamma_p_slope : Op::beta_p_slope;
  a.chain(f.back(), adjoint, [&] { return a.graph().make(slope, f); });
}

/// p_k of f: ∂f_j = p_k ([j = k] − p_j).
void softmax(Adjoints& a, const Node& node, NodeId flow) {
  const auto& f = node.operands;
  Graph& graph = a.graph();
  const NodeId mine = graph.make(Op::softmax_at, f, node.index);
  for (std::uint32_t j = 0; j < f.size(); ++j) {
    a.chain(f[j], flow, [&] {
      if (j == node.index) return a.multiply(mine, graph.make(Op::softmax_complement, f, j));
      return a.negate(a.multiply(mine, graph.make(Op::softmax_at, f, j)));
    });
  }
}

}  // namespace

void stop(Adjoints&, NodeId, const Node&, NodeId) {}

void never_needed(Adjoints&, NodeId, const Node& node, NodeId) {
  throw std::logic_error(fmt::format("{} has no rule for its derivative, and a loss needs it",
                                     operation(node.op).name));
}

void chain_by_slope(Adjoints& a, NodeId id, const Node& node, NodeId adjoint, Slope* slope) {
  const NodeId x = node.operands[0];
  a.chain(x, adjoint, [&] { return slope(a, id, x); });
}

void add(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  for (const NodeId operand : node.operands) a.pass(operand, adjoint);
}

void subtract(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  a.pass(node.operands[0], adjoint);
  if (a.varies(node.operands[1])) a.accumulate(node.operands[1], a.negate(adjoint));
}

void multiply(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  a.chain(node.operands[0], adjoint, [&] { return node.operands[1]; });
  a.chain(node.operands[1], adjoint, [&] { return node.operands[0]; });
}

void divide(Adjoints& a, NodeId id, const Node& node, NodeId adjoint) {
  const NodeId over = node.operands[0], under = node.operands[1];
  a.chain_quotient(over, adjoint, [&] { return under; });
  a.chain(under, adjoint, [&] { return a.negate(a.op(Op::divide, id, under)); });
}

void power(Adjoints& a, NodeId id, const Node& node, NodeId adjoint) {
  const NodeId base = node.operands[0], exponent = node.operands[1];
  a.chain(base, adjoint, [&] {
    const NodeId one_less = a.op(Op::subtract, exponent, a.constant(1));
    return a.multiply(exponent, a.op(Op::power, base, one_less));
  });
  a.chain(exponent, adjoint, [&] { return a.op(Op::strong_multiply, id, a.op(Op::log, base)); });
}

void minimum(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  pass_to_first_if(a, a.op(Op::less_equal, node.operands[0], node.operands[1]), node, adjoint);
}

void maximum(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  pass_to_first_if(a, a.op(Op::less_equal, node.operands[1], node.operands[0]), node, adjoint);
}

void square_root(Adjoints& a, NodeId id, const Node& node, NodeId adjoint) {
  a.chain_quotient(node.operands[0], adjoint, [&] { return a.multiply(a.constant(2), id); });
}

void select(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  a.pass_if(node.operands[0], true, node.operands[1], adjoint);
  a.pass_if(node.operands[0], false, node.operands[2], adjoint);
}

void log(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  a.chain_quotient(node.operands[0], adjoint, [&] { return node.operands[0]; });
}

void log1p(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  const NodeId x = node.operands[0];
  a.chain_quotient(x, adjoint, [&] {
    return a.graph().raw({.op = Op::add, .operands = {a.constant(1), x}});
  });
}

void log_rising(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  const NodeId x = node.operands[0], n = node.operands[1];
  a.chain(x, adjoint, [&] { return a.op(Op::digamma_difference, x, n); });
  a.chain(n, adjoint, [&] { return a.op(Op::digamma, a.op(Op::add, x, n)); });
}

void log_multichoose(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  const NodeId x = node.operands[0], n = node.operands[1];
  a.chain(x, adjoint, [&] { return a.op(Op::digamma_difference, x, n); });
  a.chain(n, adjoint, [&] {
    const NodeId one = a.constant(1);
    return a.op(Op::digamma_difference, a.op(Op::add, n, one), a.op(Op::subtract, x, one));
  });
}

void sum_log1p(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  const NodeId x = node.operands[0], n = node.operands[1];
  a.chain(x, adjoint, [&] { return a.op(Op::sum_log1p_slope, x, n); });
  a.chain(n, adjoint, [&] {
    const NodeId inverse = a.op(Op::divide, a.constant(1), x);
    return a.op(Op::add, a.op(Op::digamma, a.op(Op::add, n, inverse)), a.op(Op::log, x));
  });
}

void rising_in_last(Adjoints& a, NodeId id, const Node& node, NodeId adjoint) {
  in_last(a, id, node, adjoint);
}

void falling_in_last(Adjoints& a, NodeId id, const Node& node, NodeId adjoint) {
  in_last(a, id, node, a.negate(adjoint));
}

void gather(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  const auto& f = node.operands;
  for (std::uint32_t k = 1; k < f.size(); ++k) {
    if (a.varies(f[k])) a.pass_if(a.op(Op::equal, f[0], a.constant(k - 1)), true, f[k], adjoint);
  }
}

void logaddexp(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  const NodeId gap = a.op(Op::subtract, node.operands[0], node.operands[1]);
  a.chain(node.operands[0], adjoint, [&] { return a.op(Op::sigmoid, gap); });
  a.chain(node.operands[1], adjoint, [&] { return a.op(Op::sigmoid, a.negate(gap)); });
}

/// With s = l + x: ∂x = σ(s), ∂l = σ(s) − σ(l), whose factors below never cancel.
void log_mix(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  const NodeId l = node.operands[0], x = node.operands[1];
  const NodeId sum = a.op(Op::add, l, x);
  a.chain(x, adjoint, [&] { return a.op(Op::sigmoid, sum); });
  a.chain(l, adjoint, [&] {
    const NodeId step = a.op(Op::expm1, a.negate(a.op(Op::absolute, x)));
    const NodeId falling = a.multiply(a.op(Op::sigmoid, l), a.op(Op::sigmoid, a.negate(sum)));
    const NodeId rising = a.multiply(a.op(Op::sigmoid, sum), a.op(Op::sigmoid, a.negate(l)));
    const NodeId is_falling = a.op(Op::less, x, a.constant(0));
    return a.multiply(a.graph().select(is_falling, falling, a.negate(rising)), step);
  });
}

void logsumexp(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  const auto& f = node.operands;
  for (std::uint32_t k = 0; k < f.size(); ++k)
    a.chain(f[k], adjoint, [&] { return a.graph().make(Op::softmax_at, f, k); });
}

void softmax_at(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  softmax(a, node, adjoint);
}

void softmax_complement(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  softmax(a, node, a.negate(adjoint));
}

void neg_log_softmax(Adjoints& a, NodeId, const Node& node, NodeId adjoint) {
  const std::vector<NodeId> f(node.operands.begin() + 1, node.operands.end());
  for (std::uint32_t j = 0; j < f.size(); ++j) {
    a.chain(f[j], adjoint, [&] {
      const NodeId is_mine = a.op(Op::equal, node.operands[0], a.constant(j));
      const NodeId rest = a.negate(a.graph().make(Op::softmax_complement, f, j));
      return a.graph().select(is_mine, rest, a.graph().make(Op::softmax_at, f, j));
    });
  }
}

namespace slopes {

NodeId of_op(Adjoints& a, Op op, NodeId x) {
  return a.op(op, x);
}

NodeId negate(Adjoints& a, NodeId, NodeId) {
  return a.constant(-1);
}
NodeId absolute(Adjoints& a, NodeId, NodeId x) {
  return a.op(Op::sign, x);
}
NodeId exp(Adjoints&, NodeId id, NodeId) {
  return id;
}
NodeId expm1(Adjoints& a, NodeId, NodeId x) {
  return a.op(Op::exp, x);
}

/// 1 − tanh², without its cancellation.
NodeId tanh(Adjoints& a, NodeId, NodeId x) {
  const NodeId twice = a.multiply(a.constant(2), x);
  const NodeId rising = a.op(Op::sigmoid, twice), falling = a.op(Op::sigmoid, a.negate(twice));
  return a.multiply(a.constant(4), a.multiply(rising, falling));
}

NodeId erf(Adjoints& a, NodeId, NodeId x) {
  return gaussian(a, x, kTwoOverSqrtPi, -1);
}
NodeId normal_cdf(Adjoints& a, NodeId, NodeId x) {
  return gaussian(a, x, kInvSqrtTwoPi, -0.5);
}
NodeId sigmoid(Adjoints& a, NodeId id, NodeId x) {
  return a.multiply(id, a.op(Op::sigmoid, a.negate(x)));
}
NodeId log_sigmoid(Adjoints& a, NodeId, NodeId x) {
  return a.op(Op::sigmoid, a.negate(x));
}

}  // namespace slopes
}  // namespace softwood::loss::derivatives
