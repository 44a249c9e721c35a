#include "loss/language/fold.h"

#include <algorithm>

#include "loss/language/evaluator.h"
#include "loss/language/expand.h"
#include "loss/language/limits.h"
#include "loss/language/operations.h"

namespace softwood::loss {
namespace {

bool is_known(const Graph& graph, NodeId id) {
  return graph.is(id, Op::constant) || graph.is(id, Op::truth);
}

bool is_condition(const Graph& graph, const Node& node) {
  if (operation(node.op).result != Result::as_branches) return is_boolean(node.op);
  return graph.is(node.operands[1], Op::truth);
}

/// One row of a program that is nothing but this root.
double value_of(const Graph& graph, NodeId root) {
  Graph expanded;
  const std::vector<NodeId> roots = expand(graph, std::vector{root}, expanded);
  double value = 0;
  double* const result = &value;
  evaluate(list_instructions(expanded, roots), {}, {}, 1, MissingRows::are_computed, {&result, 1});
  return value;
}

}  // namespace

std::optional<NodeId> fold_constants(Graph& graph, const Node& node) {
  const auto known = [&](NodeId operand) { return is_known(graph, operand); };
  if (!std::all_of(node.operands.begin(), node.operands.end(), known)) return std::nullopt;
  graph.count_steps(kStepsPerFold + node.operands.size() / 4);
  Graph alone;
  Node copy = node;
  for (NodeId& operand : copy.operands) operand = alone.raw(graph[operand]);
  const NodeId root = alone.raw(std::move(copy));
  if (!is_condition(graph, node)) return graph.constant(value_of(alone, root));
  const NodeId one_where =
      alone.raw({.op = Op::select, .operands = {root, alone.constant(1), alone.constant(0)}});
  return graph.truth(value_of(alone, one_where) != 0);
}

}  // namespace softwood::loss
