#pragma once

#include <optional>
#include <vector>

#include "loss/language/gradient.h"

namespace softwood::loss {

/// The adjoints of a graph's nodes (the derivatives of the loss in them), as far as reverse mode
/// has come, and what the rules of derivatives.h build them with. They are strong zeros: one that
/// is exactly 0 stays 0 whatever it is multiplied with.
class Adjoints {
 public:
  Adjoints(Graph& graph, NodeId loss);

  /// Walks from the loss back to the outputs.
  void run();
  /// The constant 0 if nothing arrived.
  NodeId of(NodeId id);

  Graph& graph() { return graph_; }
  NodeId constant(double value) { return graph_.constant(value); }
  NodeId op(Op o, NodeId a) { return graph_.make(o, a); }
  NodeId op(Op o, NodeId a, NodeId b) { return graph_.make(o, a, b); }
  NodeId negate(NodeId a) { return op(Op::negate, a); }
  NodeId multiply(NodeId a, NodeId b) { return op(Op::multiply, a, b); }

  /// The node changes with an output, so that its adjoint matters.
  bool varies(NodeId id) const { return varies_[id]; }
  /// operand += contribution.
  void accumulate(NodeId operand, NodeId contribution);
  /// operand += adjoint · slope(). Slopes are built only for operands that matter.
  template <class Slope>
  void chain(NodeId operand, NodeId adjoint, Slope slope) {
    if (varies(operand)) accumulate(operand, op(Op::strong_multiply, adjoint, slope()));
  }
  /// operand += adjoint / divisor().
  template <class Divisor>
  void chain_quotient(NodeId operand, NodeId adjoint, Divisor divisor) {
    if (varies(operand)) accumulate(operand, op(Op::strong_divide, adjoint, divisor()));
  }
  /// operand += adjoint.
  void pass(NodeId operand, NodeId adjoint);
  /// operand += adjoint where the condition is `when`.
  void pass_if(NodeId condition, bool when, NodeId operand, NodeId adjoint);

  /// Nobody knows the derivative of node `id` in operand `operand`, which is needed.
  void miss(NodeId id, std::size_t operand) { missing_ = Gradient::Missing{id, operand}; }
  const std::optional<Gradient::Missing>& missing() const { return missing_; }

 private:
  bool depends_on_outputs(NodeId id) const;

  Graph& graph_;
  std::vector<std::optional<NodeId>> adjoints_;
  std::vector<bool> varies_;
  std::optional<Gradient::Missing> missing_;
};

}  // namespace softwood::loss
