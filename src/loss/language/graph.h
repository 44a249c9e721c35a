#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

  bool is_constant(NodeId id) const { return nodes_[id].op == Op::constant; }
  bool is_constant(NodeId id, double value) const {
    return is_constant(id) && nodes_[id].value == value;
  }
  bool is(NodeId id, Op op) const { return nodes_[id].op == op; }

 private:
  struct Hash {
    std::size_t operator()(const Node& node) const;
  };
  std::vector<Node> nodes_;
  std::unordered_map<Node, NodeId, Hash> known_;
};

/// marks[id] is true if a root needs node id.
std::vector<bool> reachable(const Graph& graph, std::span<const NodeId> roots);

}  // namespace softwood::loss
