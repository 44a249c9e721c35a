#include "loss/language/expand.h"

#include <algorithm>
#include <map>

namespace softwood::loss {
namespace {

/// Writes composites in terms of plain operations of one graph.
class Expander {
 public:
  explicit Expander(Graph& graph)
      : graph_(graph), one_(graph.constant(1)), zero_(graph.constant(0)) {}

  NodeId node(const Node& node) {
    const auto& f = node.operands;
    switch (node.op) {
      case Op::sigmoid:
        return sigmoid(f[0]);
      case Op::softplus:
        return softplus(f[0]);
      case Op::log_sigmoid:
        return subtract(raw(Op::minimum, {f[0], zero_}), log1p(decay(f[0])));
      case Op::log_cosh:
        return log_cosh(f[0]);
      case Op::logaddexp: {
        const NodeId gap = graph_.make(Op::subtract, f[0], f[1]);
        return add(raw(Op::maximum, f), log1p(decay(gap)));
      }
      case Op::log_mix:
        return log_mix(f[0], f[1]);
      case Op::logsumexp:
        return add(largest(f), log1p(rest(f)));
      case Op::softmax_at:
        return raw(Op::multiply, {share(f, node.index), normaliser(f)});
      case Op::softmax_complement:
        return complement(f, node.index);
      case Op::neg_log_softmax:
        return neg_log_softmax(f);
      default:
        return raw(node.op, f, node.index, node.value);
    }
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

  NodeId softplus(NodeId x) { return add(raw(Op::maximum, {x, zero_}), log1p(decay(x))); }

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
  NodeId largest(const std::vector<NodeId>& f) { return shares_of(f).largest; }
  NodeId share(const std::vector<NodeId>& f, std::uint32_t k) { return shares_of(f).each[k]; }
  NodeId rest(const std::vector<NodeId>& f) { return shares_of(f).rest; }
  NodeId normaliser(const std::vector<NodeId>& f) { return shares_of(f).normaliser; }
  NodeId complement(const std::vector<NodeId>& f, std::uint32_t k) {
    const NodeId mine = share(f, k);
    const NodeId others = subtract(add(one_, rest(f)), mine);
    const NodeId sum = raw(Op::select, {raw(Op::equal, {mine, one_}), rest(f), others});
    return raw(Op::multiply, {sum, normaliser(f)});
  }
  NodeId neg_log_softmax(const std::vector<NodeId>& operands) {
    const std::vector<NodeId> f(operands.begin() + 1, operands.end());
    NodeId picked;
    if (graph_.is_constant(operands[0])) {
      picked = f[static_cast<std::size_t>(graph_[operands[0]].value)];
    } else {
      picked = raw(Op::gather, operands);
    }
    return add(subtract(largest(f), picked), log1p(rest(f)));
  }

  Graph& graph_;
  NodeId one_, zero_;
  std::map<std::vector<NodeId>, Shares> shares_;
};

}  // namespace

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
