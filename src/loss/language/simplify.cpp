#include "loss/language/simplify.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "loss/language/fold.h"

namespace softwood::loss {
namespace {

/// The operand of a negation, if `id` is one; a constant below 0 counts.
std::optional<NodeId> negated(Graph& graph, NodeId id) {
  if (graph.is(id, Op::negate)) return graph[id].operands[0];
  if (graph.is_constant(id) && graph[id].value < 0) return graph.constant(-graph[id].value);
  return std::nullopt;
}

std::optional<NodeId> simplify_add(Graph& graph, NodeId a, NodeId b) {
  if (graph.is_constant(a, 0)) return b;
  if (graph.is_constant(b, 0)) return a;
  if (const auto minus = negated(graph, b)) return graph.make(Op::subtract, a, *minus);
  if (const auto minus = negated(graph, a)) return graph.make(Op::subtract, b, *minus);
  return std::nullopt;
}

std::optional<NodeId> simplify_subtract(Graph& graph, NodeId a, NodeId b) {
  if (graph.is_constant(b, 0)) return a;
  if (graph.is_constant(a, 0)) return graph.make(Op::negate, b);
  if (const auto minus = negated(graph, b)) return graph.make(Op::add, a, *minus);
  return std::nullopt;
}

std::optional<NodeId> simplify_multiply(Graph& graph, NodeId a, NodeId b) {
  if (graph.is_constant(b)) std::swap(a, b);
  if (graph.is_constant(a, 1)) return b;
  if (graph.is_constant(a, -1)) return graph.make(Op::negate, b);
  if (graph.is_constant(a) && graph.is(b, Op::negate)) {
    return graph.make(Op::multiply, graph.constant(-graph[a].value), graph[b].operands[0]);
  }
  if (graph.is(a, Op::negate) && graph.is(b, Op::negate)) {
    return graph.make(Op::multiply, graph[a].operands[0], graph[b].operands[0]);
  }
  if (graph.is(a, Op::negate)) std::swap(a, b);
  if (graph.is(b, Op::negate)) {
    return graph.make(Op::negate, graph.make(Op::multiply, a, graph[b].operands[0]));
  }
  return std::nullopt;
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::isnormal(value) && std::abs(std::frexp(value, &exponent)) == 0.5 &&
         std::isnormal(1 / value);
}

std::optional<NodeId> simplify_divide(Graph& graph, NodeId a, NodeId b) {
  if (graph.is_constant(b) && is_power_of_two(graph[b].value)) {
    return graph.make(Op::multiply, a, graph.constant(1 / graph[b].value));
  }
  if (graph.is(a, Op::negate)) {
    return graph.make(Op::negate, graph.make(Op::divide, graph[a].operands[0], b));
  }
  return std::nullopt;
}

/// Whole powers become products: faster, exact, and right for negative bases.
std::optional<NodeId> simplify_power(Graph& graph, NodeId a, NodeId b) {
  if (!graph.is_constant(b)) return std::nullopt;
  const double exponent = graph[b].value;
  if (exponent == 0) return graph.constant(1);
  if (exponent == 1) return a;
  if (exponent == 0.5) return graph.make(Op::square_root, a);
  if (exponent == std::floor(exponent) && std::abs(exponent) <= 16) {
    if (exponent < 0) {
      const NodeId whole = graph.make(Op::power, a, graph.constant(-exponent));
      return graph.make(Op::divide, graph.constant(1), whole);
    }
    const NodeId half = graph.make(Op::power, a, graph.constant(std::floor(exponent / 2)));
    const NodeId square = graph.make(Op::multiply, half, half);
    return std::fmod(exponent, 2) == 0 ? square : graph.make(Op::multiply, square, a);
  }
  return std::nullopt;
}

std::optional<NodeId> simplify_select(Graph& graph, const Node& node) {
  const auto [condition, a, b] = std::tuple(node.operands[0], node.operands[1], node.operands[2]);
  if (a == b) return a;
  if (graph.is(condition, Op::truth)) return graph[condition].value != 0 ? a : b;
  return std::nullopt;
}

std::optional<NodeId> simplify_logical(Graph& graph, const Node& node) {
  for (int side = 0; side < 2; ++side) {
    if (!graph.is(node.operands[side], Op::truth)) continue;
    const bool value = graph[node.operands[side]].value != 0;
    const bool neutral = node.op == Op::logical_and;
    return value == neutral ? node.operands[1 - side] : node.operands[side];
  }
  return std::nullopt;
}

std::optional<NodeId> simplify_absolute(Graph& graph, NodeId a) {
  if (graph.is(a, Op::negate)) return graph.make(Op::absolute, graph[a].operands[0]);
  if (graph.is(a, Op::exp) || graph.is(a, Op::absolute)) return a;
  // |a − b| and |b − a| become one node.
  if (graph.is(a, Op::subtract) && graph[a].operands[0] > graph[a].operands[1]) {
    const NodeId swapped =
        graph.raw({.op = Op::subtract, .operands = {graph[a].operands[1], graph[a].operands[0]}});
    return graph.raw({.op = Op::absolute, .operands = {swapped}});
  }
  return std::nullopt;
}

std::optional<NodeId> simplify_gather(Graph& graph, const Node& node) {
  if (!graph.is_constant(node.operands[0])) return std::nullopt;
  const double at = graph[node.operands[0]].value;
  const bool inside = at >= 0 && at + 1 < static_cast<double>(node.operands.size());
  if (!inside || at != std::floor(at)) return std::nullopt;
  return node.operands[static_cast<std::size_t>(at) + 1];
}

}  // namespace

std::optional<NodeId> simplify(Graph& graph, const Node& node) {
  if (const auto folded = fold_constants(graph, node)) return folded;
  const NodeId a = node.operands[0];
  const NodeId b = node.operands.size() > 1 ? node.operands[1] : a;
  switch (node.op) {
    case Op::add:
      return simplify_add(graph, a, b);
    case Op::subtract:
      return simplify_subtract(graph, a, b);
    case Op::multiply:
      return simplify_multiply(graph, a, b);
    case Op::divide:
      return simplify_divide(graph, a, b);
    case Op::power:
      return simplify_power(graph, a, b);
    case Op::select:
      return simplify_select(graph, node);
    case Op::logical_and:
    case Op::logical_or:
      return simplify_logical(graph, node);
    case Op::absolute:
      return simplify_absolute(graph, a);
    case Op::gather:
      return simplify_gather(graph, node);
    case Op::square_root:
      if (graph.is(a, Op::multiply) && graph[a].operands[0] == graph[a].operands[1]) {
        return graph.make(Op::absolute, graph[a].operands[0]);
      }
      return std::nullopt;
    case Op::negate:
      if (graph.is(a, Op::negate)) return graph[a].operands[0];
      if (graph.is(a, Op::subtract)) {
        return graph.make(Op::subtract, graph[a].operands[1], graph[a].operands[0]);
      }
      return std::nullopt;
    case Op::strong_multiply:
      if (graph.is_constant(a, 1)) return b;
      // A finite constant cannot poison a zero.
      if (graph.is_constant(b) && std::isfinite(graph[b].value)) {
        return graph.make(Op::multiply, a, b);
      }
      if (graph.is(b, Op::negate)) {
        return graph.make(Op::negate, graph.make(Op::strong_multiply, a, graph[b].operands[0]));
      }
      if (graph.is(a, Op::negate)) {
        return graph.make(Op::negate, graph.make(Op::strong_multiply, graph[a].operands[0], b));
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace softwood::loss
