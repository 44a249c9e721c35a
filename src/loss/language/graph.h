#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "loss/language/ops.h"

namespace softwood::loss {

using NodeId = std::uint32_t;

struct Node {
  Op op;
  std::uint32_t index = 0;  ///< which output, column or component
  double value = 0;         ///< of a constant
  std::vector<NodeId> operands = {};

  bool operator==(const Node& other) const;
};

/// Compiling takes more steps than limits.h allows. Whoever knows the loss's name says so.
struct TooManySteps : std::runtime_error {
  TooManySteps() : std::runtime_error("a loss takes too many steps to compile") {}
};

/// An SSA program: operands always come before the nodes that use them, and equal nodes are one
/// node. The functions build nodes in simplified form: constants folded, neutral elements gone, and
/// expressions turned to their numerically stable equals (stable_rewrites.h).
class Graph {
 public:
  const Node& operator[](NodeId id) const { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }

  NodeId constant(double value);
  NodeId truth(bool value);
  NodeId leaf(Op op, std::uint32_t index = 0);
  NodeId make(Op op, std::vector<NodeId> operands, std::uint32_t index = 0);
  NodeId make(Op op, NodeId a) { return make(op, std::vector{a}); }
  NodeId make(Op op, NodeId a, NodeId b) { return make(op, std::vector{a, b}); }
  NodeId select(NodeId condition, NodeId a, NodeId b) {
    return make(Op::select, std::vector{condition, a, b});
  }

  /// The node as it is, shared if it exists, without any simplification.
  NodeId raw(Node node);

  /// Counts what compiling costs; throws TooManySteps where limits.h draws the line. Every node
  /// that is asked for counts by itself.
  void count_steps(std::size_t steps);

  /// How deep products, quotients, powers and choices are nested in a node, as far as the rules
  /// for logarithms follow them.
  std::size_t log_depth(NodeId id) const { return log_depths_[id]; }
  /// log(node) in stable form as stable_rewrites.cpp has found it before, or found that there is
  /// none: a node that is used twice must not be taken apart twice.
  std::unordered_map<NodeId, std::optional<NodeId>>& known_logs() { return known_logs_; }

  bool is_constant(NodeId id) const { return nodes_[id].op == Op::constant; }
  bool is_constant(NodeId id, double value) const {
    return is_constant(id) && nodes_[id].value == value;
  }
  bool is(NodeId id, Op op) const { return nodes_[id].op == op; }

 private:
  struct Hash {
    std::size_t operator()(const Node& node) const;
  };
  std::size_t log_depth_of(const Node& node) const;

  std::vector<Node> nodes_;
  std::vector<std::size_t> log_depths_;
  std::unordered_map<NodeId, std::optional<NodeId>> known_logs_;
  std::size_t steps_ = 0;
  std::unordered_map<Node, NodeId, Hash> known_;
};

/// marks[id] is true if a root needs node id.
std::vector<bool> reachable(const Graph& graph, std::span<const NodeId> roots);

}  // namespace softwood::loss
