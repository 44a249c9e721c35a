#include "loss/language/gradient.h"

#include <optional>

namespace softwood::loss {
namespace {

constexpr double kTwoOverSqrtPi = 1.12837916709551257390;
constexpr double kInvSqrtTwoPi = 0.39894228040143267794;

class ReverseMode {
 public:
  ReverseMode(Graph& graph, NodeId loss) : graph_(graph), adjoints_(graph.size()) {
    varies_.resize(graph.size());
    for (NodeId id = 0; id < varies_.size(); ++id) varies_[id] = depends_on_outputs(id);
    if (varies_[loss]) adjoints_[loss] = graph_.constant(1);
  }

  void run() {
    for (NodeId id = static_cast<NodeId>(adjoints_.size()); id-- > 0;) {
      if (adjoints_[id] && varies_[id]) propagate(id, Node(graph_[id]), *adjoints_[id]);
    }
  }

  const std::optional<Gradient::Missing>& missing() const { return missing_; }

  NodeId adjoint(NodeId id) {
    return id < adjoints_.size() && adjoints_[id] ? *adjoints_[id] : graph_.constant(0);
  }

 private:
  bool depends_on_outputs(NodeId id) const {
    if (graph_.is(id, Op::output)) return true;
    // No derivative passes a comparison or a floor.
    if (is_boolean(graph_[id].op) || graph_.is(id, Op::floor) || graph_.is(id, Op::sign))
      return false;
    for (const NodeId operand : graph_[id].operands) {
      if (varies_[operand]) return true;
    }
    return false;
  }

  NodeId constant(double value) { return graph_.constant(value); }
  NodeId op(Op o, NodeId a) { return graph_.make(o, a); }
  NodeId op(Op o, NodeId a, NodeId b) { return graph_.make(o, a, b); }
  NodeId negate(NodeId a) { return op(Op::negate, a); }
  NodeId multiply(NodeId a, NodeId b) { return op(Op::multiply, a, b); }

  void accumulate(NodeId id, NodeId contribution) {
    if (graph_.is_constant(contribution, 0)) return;
    auto& sum = adjoints_[id];
    sum = sum ? op(Op::add, *sum, contribution) : contribution;
  }
  /// operand += adjoint · slope. Slopes are built only for operands that matter.
  template <class Slope>
  void chain(NodeId operand, NodeId adjoint, Slope slope) {
    if (varies_[operand]) accumulate(operand, op(Op::strong_multiply, adjoint, slope()));
  }
  void pass(NodeId operand, NodeId adjoint) {
    if (varies_[operand]) accumulate(operand, adjoint);
  }
  void pass_if(NodeId condition, bool when, NodeId operand, NodeId adjoint) {
    if (!varies_[operand]) return;
    const NodeId zero = constant(0);
    accumulate(operand, when ? graph_.select(condition, adjoint, zero)
                             : graph_.select(condition, zero, adjoint));
  }

  void propagate(NodeId id, const Node& node, NodeId adjoint);
  void propagate_binary(NodeId id, const Node& node, NodeId adjoint);
  void propagate_softmax(const Node& node, NodeId adjoint);
  void propagate_neg_log_softmax(const Node& node, NodeId adjoint);
  void propagate_log_mix(NodeId l, NodeId x, NodeId adjoint);
  void propagate_incomplete(NodeId id, const Node& node, NodeId adjoint);
  std::optional<NodeId> slope_of_unary(NodeId id, const Node& node);
  NodeId gaussian(NodeId x, double scale, double exponent);

  Graph& graph_;
  std::vector<std::optional<NodeId>> adjoints_;
  std::vector<bool> varies_;
  std::optional<Gradient::Missing> missing_;
};

/// scale · exp(exponent · x²).
NodeId ReverseMode::gaussian(NodeId x, double scale, double exponent) {
  const NodeId power = multiply(constant(exponent), multiply(x, x));
  return multiply(constant(scale), op(Op::exp, power));
}

/// f'(x) of a function of one operand; nothing for division-like slopes handled by the caller.
std::optional<NodeId> ReverseMode::slope_of_unary(NodeId id, const Node& node) {
  const NodeId x = node.operands[0];
  switch (node.op) {
    case Op::negate:
      return constant(-1);
    case Op::absolute:
      return op(Op::sign, x);
    case Op::exp:
      return id;
    case Op::expm1:
      return op(Op::exp, x);
    case Op::sigmoid:
      return multiply(id, op(Op::sigmoid, negate(x)));
    case Op::softplus:
      return op(Op::sigmoid, x);
    case Op::log_sigmoid:
      return op(Op::sigmoid, negate(x));
    case Op::log_cosh:
      return op(Op::tanh, x);
    case Op::tanh: {  // 1 − tanh², without its cancellation
      const NodeId twice = multiply(constant(2), x);
      return multiply(constant(4),
                      multiply(op(Op::sigmoid, twice), op(Op::sigmoid, negate(twice))));
    }
    case Op::lgamma:
      return op(Op::digamma, x);
    case Op::digamma:
      return op(Op::trigamma, x);
    case Op::erf:
      return gaussian(x, kTwoOverSqrtPi, -1);
    case Op::normal_cdf:
      return gaussian(x, kInvSqrtTwoPi, -0.5);
    case Op::normal_log_cdf:
      return op(Op::normal_hazard, x);
    case Op::log1p_ratio:
      return op(Op::log1p_ratio_slope, x);
    case Op::log_expm1_ratio:
      return op(Op::log_expm1_ratio_slope, x);
    case Op::stirling_error:
      return op(Op::stirling_error_slope, x);
    default:
      return std::nullopt;
  }
}

void ReverseMode::propagate_binary(NodeId id, const Node& node, NodeId adjoint) {
  const NodeId a = node.operands[0], b = node.operands[1];
  switch (node.op) {
    case Op::add:
      pass(a, adjoint);
      pass(b, adjoint);
      break;
    case Op::subtract:
      pass(a, adjoint);
      if (varies_[b]) accumulate(b, negate(adjoint));
      break;
    case Op::multiply:
      chain(a, adjoint, [&] { return b; });
      chain(b, adjoint, [&] { return a; });
      break;
    case Op::divide:
      if (varies_[a]) accumulate(a, op(Op::strong_divide, adjoint, b));
      chain(b, adjoint, [&] { return negate(op(Op::divide, id, b)); });
      break;
    case Op::power:
      chain(a, adjoint,
            [&] { return multiply(b, op(Op::power, a, op(Op::subtract, b, constant(1)))); });
      chain(b, adjoint, [&] { return op(Op::strong_multiply, id, op(Op::log, a)); });
      break;
    case Op::minimum:
    case Op::maximum: {
      // A tie goes to the first operand.
      const NodeId first =
          node.op == Op::maximum ? op(Op::less_equal, b, a) : op(Op::less_equal, a, b);
      pass_if(first, true, a, adjoint);
      pass_if(first, false, b, adjoint);
      break;
    }
    case Op::logaddexp: {
      const NodeId gap = op(Op::subtract, a, b);
      chain(a, adjoint, [&] { return op(Op::sigmoid, gap); });
      chain(b, adjoint, [&] { return op(Op::sigmoid, negate(gap)); });
      break;
    }
    case Op::log_mix:
      propagate_log_mix(a, b, adjoint);
      break;
    case Op::log_rising:
      chain(a, adjoint, [&] { return op(Op::digamma_difference, a, b); });
      chain(b, adjoint, [&] { return op(Op::digamma, op(Op::add, a, b)); });
      break;
    case Op::log_multichoose:
      chain(a, adjoint, [&] { return op(Op::digamma_difference, a, b); });
      chain(b, adjoint, [&] {
        const NodeId one = constant(1);
        return op(Op::digamma_difference, op(Op::add, b, one), op(Op::subtract, a, one));
      });
      break;
    case Op::sum_log1p:
      chain(a, adjoint, [&] { return op(Op::sum_log1p_slope, a, b); });
      chain(b, adjoint, [&] {
        const NodeId inverse = op(Op::divide, constant(1), a);
        return op(Op::add, op(Op::digamma, op(Op::add, b, inverse)), op(Op::log, a));
      });
      break;
    default:
      break;
  }
}

/// With s = l + x: ∂x = σ(s), ∂l = σ(s) − σ(l), whose factors below never cancel.
void ReverseMode::propagate_log_mix(NodeId l, NodeId x, NodeId adjoint) {
  const NodeId sum = op(Op::add, l, x);
  chain(x, adjoint, [&] { return op(Op::sigmoid, sum); });
  chain(l, adjoint, [&] {
    const NodeId step = op(Op::expm1, negate(op(Op::absolute, x)));
    const NodeId falling = multiply(op(Op::sigmoid, l), op(Op::sigmoid, negate(sum)));
    const NodeId rising = multiply(op(Op::sigmoid, sum), op(Op::sigmoid, negate(l)));
    const NodeId weight = graph_.select(op(Op::less, x, constant(0)), falling, negate(rising));
    return multiply(weight, step);
  });
}

/// p_k of f: ∂f_j = p_k ([j = k] − p_j); the complement 1 − p_k has the opposite sign.
void ReverseMode::propagate_softmax(const Node& node, NodeId adjoint) {
  const auto& f = node.operands;
  const NodeId mine = graph_.make(Op::softmax_at, f, node.index);
  const NodeId flow = node.op == Op::softmax_at ? adjoint : negate(adjoint);
  for (std::uint32_t j = 0; j < f.size(); ++j) {
    chain(f[j], flow, [&] {
      if (j == node.index) return multiply(mine, graph_.make(Op::softmax_complement, f, j));
      return negate(multiply(mine, graph_.make(Op::softmax_at, f, j)));
    });
  }
}

void ReverseMode::propagate_neg_log_softmax(const Node& node, NodeId adjoint) {
  const std::vector<NodeId> f(node.operands.begin() + 1, node.operands.end());
  for (std::uint32_t j = 0; j < f.size(); ++j) {
    chain(f[j], adjoint, [&] {
      const NodeId is_mine = op(Op::equal, node.operands[0], constant(j));
      const NodeId rest = negate(graph_.make(Op::softmax_complement, f, j));
      return graph_.select(is_mine, rest, graph_.make(Op::softmax_at, f, j));
    });
  }
}

/// Distribution functions in their last operand; nobody knows a cheap derivative in the others.
void ReverseMode::propagate_incomplete(NodeId id, const Node& node, NodeId adjoint) {
  const auto& f = node.operands;
  for (std::size_t k = 0; k + 1 < f.size(); ++k) {
    if (varies_[f[k]]) missing_ = Gradient::Missing{id, k};
  }
  const bool falls = node.op == Op::gamma_q || node.op == Op::beta_q;
  const Op slope = f.size() == 2 ? Op::gamma_p_slope : Op::beta_p_slope;
  chain(f.back(), falls ? negate(adjoint) : adjoint, [&] { return graph_.make(slope, f); });
}

void ReverseMode::propagate(NodeId id, const Node& node, NodeId adjoint) {
  const auto& f = node.operands;
  switch (node.op) {
    case Op::output:
      return;
    case Op::select:
      pass_if(f[0], true, f[1], adjoint);
      pass_if(f[0], false, f[2], adjoint);
      return;
    case Op::log:
      return accumulate(f[0], op(Op::strong_divide, adjoint, f[0]));
    case Op::log1p: {
      const NodeId sum = graph_.raw({.op = Op::add, .operands = {constant(1), f[0]}});
      return accumulate(f[0], op(Op::strong_divide, adjoint, sum));
    }
    case Op::square_root:
      return accumulate(f[0], op(Op::strong_divide, adjoint, multiply(constant(2), id)));
    case Op::gather:
      for (std::uint32_t k = 1; k < f.size(); ++k) {
        if (varies_[f[k]]) pass_if(op(Op::equal, f[0], constant(k - 1)), true, f[k], adjoint);
      }
      return;
    case Op::logsumexp:
      for (std::uint32_t k = 0; k < f.size(); ++k) {
        chain(f[k], adjoint, [&] { return graph_.make(Op::softmax_at, f, k); });
      }
      return;
    case Op::softmax_at:
    case Op::softmax_complement:
      return propagate_softmax(node, adjoint);
    case Op::neg_log_softmax:
      return propagate_neg_log_softmax(node, adjoint);
    case Op::gamma_p:
    case Op::gamma_q:
    case Op::beta_p:
    case Op::beta_q:
      return propagate_incomplete(id, node, adjoint);
    default:
      break;
  }
  if (const auto slope = slope_of_unary(id, node)) {
    return accumulate(f[0], op(Op::strong_multiply, adjoint, *slope));
  }
  propagate_binary(id, node, adjoint);
}

}  // namespace

Gradient append_gradient(Graph& graph, NodeId loss, std::size_t num_outputs) {
  std::vector<NodeId> outputs;
  for (std::uint32_t k = 0; k < num_outputs; ++k) outputs.push_back(graph.leaf(Op::output, k));
  ReverseMode reverse(graph, loss);
  reverse.run();
  Gradient gradient{.slopes = {}, .missing = reverse.missing()};
  for (const NodeId output : outputs) gradient.slopes.push_back(reverse.adjoint(output));
  return gradient;
}

}  // namespace softwood::loss
