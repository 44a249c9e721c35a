#include "loss/language/operation_testing.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "loss/language/evaluator.h"
#include "loss/language/expand.h"

namespace softwood::loss {
namespace {

NodeId of_columns(Graph& graph, const Operation& operation, std::size_t arity) {
  Node node{.op = operation.op, .operands = {}};
  for (std::uint32_t k = 0; k < arity; ++k) {
    NodeId operand = graph.leaf(Op::column, k);
    if (static_cast<int>(k) < operation.num_conditions)
      operand = graph.raw({.op = Op::not_equal, .operands = {operand, graph.constant(0)}});
    node.operands.push_back(operand);
  }
  const NodeId root = graph.raw(node);
  if (!is_boolean(operation.op)) return root;
  return graph.raw({.op = Op::select, .operands = {root, graph.constant(1), graph.constant(0)}});
}

}  // namespace

std::vector<double> evaluate_operation(Op op, const std::vector<std::vector<double>>& rows) {
  const std::size_t arity = rows[0].size();
  std::vector<std::vector<double>> columns(arity);
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < arity; ++k) columns[k].push_back(row[k]);
  }
  Graph graph, expanded;
  const NodeId root = of_columns(graph, operation(op), arity);
  const std::vector<NodeId> roots = expand(graph, std::vector{root}, expanded);
  LossData data;
  for (const auto& column : columns) data.columns.emplace_back(column);
  std::vector<double> values(rows.size());
  double* const result = values.data();
  evaluate(list_instructions(expanded, roots), data, {}, rows.size(), MissingRows::are_computed,
           {&result, 1});
  return values;
}

bool same_bits(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace softwood::loss
