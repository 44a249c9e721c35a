#include "loss/language/expand.h"

#include <algorithm>
#include <map>

#include "loss/language/operations.h"

namespace softwood::loss {

/// Writes composites in terms of primitives of one graph.
class Expander {
 public:
  explicit Expander(Graph& graph)
      : graph_(graph), one_(graph.constant(1)), zero_(graph.constant(0)) {}

  NodeId node(const Node& node) {
    const Operation& what = operation(node.op);
    if (what.role == Role::composite) return what.expansion(*this, node);
    return raw(node.op, node.operands, node.index, node.value);
  }

  NodeId softplus(NodeId x) { return add(raw(Op::maximum, {x, zero_}), log1p(decay(x))); }

  NodeId log_sigmoid(NodeId x) { return subtract(raw(Op::minimum, {x, zero_}), log1p(decay(x))); }

  NodeId sigmoid(NodeId x) {
    const bool reversed = graph_.is(x, Op::negate);
    if (reversed) x = graph_[x].operands[0];
    const NodeId small_over = decay(x);
    const NodeId large = raw(Op::divide, {one_, add(one_, small_over)});
    const NodeId small = raw(Op::multiply, {small_over, large});
    return raw(Op::select, reversed ? std::vector{is_negative(x), large, small}
                                    : std::vector{is_negative(x), small, large});
  }

  /// log((exp(x) + exp(−x))/2): the first form keeps the digits of x²/2, the second cannot
  /// overflow.
  NodeId log_cosh(NodeId x) {
    const NodeId a = graph_.make(Op::absolute, x);
    const NodeId below = raw(Op::expm1, {raw(Op::negate, {a})});
    // −½·expm1(a)·expm1(−a) = ½·expm1(−a)² / (1 + expm1(−a)).
    const NodeId square = raw(Op::multiply, {below, below});
    const NodeId twice = add(one_, below);
    const NodeId near = raw(Op::divide, {raw(Op::multiply, {graph_.constant(0.5), square}), twice});
    const NodeId far = raw(Op::multiply, {twice, twice});
    const NodeId is_near = raw(Op::less, {a, one_});
    const NodeId tail = log1p(raw(Op::select, {is_near, near, far}));
    const NodeId log_two = graph_.constant(0.69314718055994530942);
    return raw(Op::select, {is_near, tail, add(subtract(a, log_two), tail)});
  }

  NodeId logaddexp(const std::vector<NodeId>& f) {
    const NodeId gap = graph_.make(Op::subtract, f[0], f[1]);
    return add(raw(Op::maximum, f), log1p(decay(gap)));
  }

  /// softplus(l + x) − softplus(l), as log1p(σ(l)·expm1(x)) while that is small. With x > 0 the
  /// roles of l and l + x are exchanged, so nothing overflows.
  NodeId log_mix(NodeId l, NodeId x) {
    const NodeId sum = graph_.make(Op::add, l, x);
    const NodeId falls = is_negative(x);
    const NodeId step = raw(Op::expm1, {raw(Op::negate, {graph_.make(Op::absolute, x)})});
    const NodeId share = raw(Op::select, {falls, sigmoid(l), sigmoid(sum)});
    const NodeId change = raw(Op::multiply, {share, step});
    const NodeId near = raw(Op::less, {graph_.constant(-0.5), change});
    const NodeId tail = log1p(raw(Op::select, {near, change, decay(sum)}));
    const NodeId signed_tail = raw(Op::select, {falls, tail, raw(Op::negate, {tail})});
    const NodeId far = subtract(add(raw(Op::maximum, {sum, zero_}), tail), softplus(l));
    return raw(Op::select, {near, signed_tail, far});
  }

  NodeId logsumexp(const std::vector<NodeId>& f) {
    const Shares& shares = shares_of(f);
    return add(shares.largest, log1p(shares.rest));
  }

  NodeId softmax_at(const std::vector<NodeId>& f, std::uint32_t k) {
    const Shares& shares = shares_of(f);
    return raw(Op::multiply, {shares.each[k], shares.normaliser});
  }

  NodeId softmax_complement(const std::vector<NodeId>& f, std::uint32_t k) {
    const Shares& shares = shares_of(f);
    const NodeId mine = shares.each[k];
    const NodeId others = subtract(add(one_, shares.rest), mine);
    const NodeId sum = raw(Op::select, {raw(Op::equal, {mine, one_}), shares.rest, others});
    return raw(Op::multiply, {sum, shares.normaliser});
  }

  NodeId neg_log_softmax(const std::vector<NodeId>& operands) {
    const Shares& shares = shares_of({operands.begin() + 1, operands.end()});
    const NodeId picked = graph_.make(Op::gather, operands);
    return add(subtract(shares.largest, picked), log1p(shares.rest));
  }

 private:
  NodeId raw(Op op, std::vector<NodeId> operands, std::uint32_t index = 0, double value = 0) {
    return graph_.raw({.op = op, .index = index, .value = value, .operands = std::move(operands)});
  }
  NodeId add(NodeId a, NodeId b) { return raw(Op::add, {a, b}); }
  NodeId subtract(NodeId a, NodeId b) { return raw(Op::subtract, {a, b}); }
  NodeId log1p(NodeId a) { return raw(Op::log1p, {a}); }
  NodeId is_negative(NodeId a) { return raw(Op::less, {a, zero_}); }

  /// exp(−|x|), the part that sigmoid, softplus and their kin share.
  NodeId decay(NodeId x) { return raw(Op::exp, {raw(Op::negate, {graph_.make(Op::absolute, x)})}); }

  /// What all components of a softmax share: written once, for each of them asks for it.
  struct Shares {
    NodeId largest;
    std::vector<NodeId> each;  // exp(f_k − max)
    /// Σ exp(f_k − max) without the largest: what log1p needs to keep small losses exact.
    NodeId rest;
    NodeId normaliser;
  };
  const Shares& shares_of(const std::vector<NodeId>& f) {
    const auto [entry, fresh] = shares_.try_emplace(f);
    Shares& shares = entry->second;
    if (!fresh) return shares;
    shares.largest = raw(Op::maximum_of, f);
    for (const NodeId component : f)
      shares.each.push_back(raw(Op::exp, {subtract(component, shares.largest)}));
    shares.rest = raw(Op::sum_except_one, shares.each);
    shares.normaliser = raw(Op::divide, {one_, add(one_, shares.rest)});
    return shares;
  }

  Graph& graph_;
  NodeId one_, zero_;
  std::map<std::vector<NodeId>, Shares> shares_;
};

namespace expansions {

NodeId sigmoid(Expander& expander, const Node& node) {
  return expander.sigmoid(node.operands[0]);
}
NodeId softplus(Expander& expander, const Node& node) {
  return expander.softplus(node.operands[0]);
}
NodeId log_sigmoid(Expander& expander, const Node& node) {
  return expander.log_sigmoid(node.operands[0]);
}
NodeId log_cosh(Expander& expander, const Node& node) {
  return expander.log_cosh(node.operands[0]);
}
NodeId logaddexp(Expander& expander, const Node& node) {
  return expander.logaddexp(node.operands);
}
NodeId log_mix(Expander& expander, const Node& node) {
  return expander.log_mix(node.operands[0], node.operands[1]);
}
NodeId logsumexp(Expander& expander, const Node& node) {
  return expander.logsumexp(node.operands);
}
NodeId softmax_at(Expander& expander, const Node& node) {
  return expander.softmax_at(node.operands, node.index);
}
NodeId softmax_complement(Expander& expander, const Node& node) {
  return expander.softmax_complement(node.operands, node.index);
}
NodeId neg_log_softmax(Expander& expander, const Node& node) {
  return expander.neg_log_softmax(node.operands);
}

}  // namespace expansions

std::vector<NodeId> expand(const Graph& source, std::span<const NodeId> roots, Graph& expanded) {
  const std::vector<bool> needed = reachable(source, roots);
  std::vector<NodeId> copies(source.size());
  Expander expander(expanded);
  for (NodeId id = 0; id < source.size(); ++id) {
    if (!needed[id]) continue;
    Node node = source[id];
    for (NodeId& operand : node.operands) operand = copies[operand];
    copies[id] = expander.node(node);
  }
  std::vector<NodeId> result;
  for (const NodeId root : roots) result.push_back(copies[root]);
  return result;
}

}  // namespace softwood::loss
