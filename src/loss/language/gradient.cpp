#include "loss/language/gradient.h"

#include "loss/language/adjoints.h"
#include "loss/language/operations.h"

namespace softwood::loss {

Adjoints::Adjoints(Graph& graph, NodeId loss) : graph_(graph), adjoints_(graph.size()) {
  varies_.resize(graph.size());
  for (NodeId id = 0; id < varies_.size(); ++id) varies_[id] = depends_on_outputs(id);
  if (varies_[loss]) adjoints_[loss] = graph_.constant(1);
}

bool Adjoints::depends_on_outputs(NodeId id) const {
  if (graph_.is(id, Op::output)) return true;
  if (operation(graph_[id].op).derivative == derivatives::stop) return false;
  for (const NodeId operand : graph_[id].operands) {
    if (varies_[operand]) return true;
  }
  return false;
}

void Adjoints::run() {
  for (NodeId id = static_cast<NodeId>(adjoints_.size()); id-- > 0;) {
    if (!adjoints_[id] || !varies_[id]) continue;
    const Node node = graph_[id];  // a copy: rules add nodes
    operation(node.op).derivative(*this, id, node, *adjoints_[id]);
  }
}

NodeId Adjoints::of(NodeId id) {
  return id < adjoints_.size() && adjoints_[id] ? *adjoints_[id] : graph_.constant(0);
}

void Adjoints::accumulate(NodeId operand, NodeId contribution) {
  if (graph_.is_constant(contribution, 0)) return;
  auto& sum = adjoints_[operand];
  sum = sum ? op(Op::add, *sum, contribution) : contribution;
}

void Adjoints::pass(NodeId operand, NodeId adjoint) {
  if (varies(operand)) accumulate(operand, adjoint);
}

void Adjoints::pass_if(NodeId condition, bool when, NodeId operand, NodeId adjoint) {
  if (!varies(operand)) return;
  const NodeId zero = constant(0);
  accumulate(operand, when ? graph_.select(condition, adjoint, zero)
                           : graph_.select(condition, zero, adjoint));
}

Gradient append_gradient(Graph& graph, NodeId loss, std::size_t num_outputs) {
  std::vector<NodeId> outputs;
  for (std::uint32_t k = 0; k < num_outputs; ++k) outputs.push_back(graph.leaf(Op::output, k));
  Adjoints adjoints(graph, loss);
  adjoints.run();
  Gradient gradient{.slopes = {}, .missing = adjoints.missing()};
  for (const NodeId output : outputs) gradient.slopes.push_back(adjoints.of(output));
  return gradient;
}

}  // namespace softwood::loss
