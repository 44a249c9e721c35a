#pragma once

#include <optional>
#include <vector>

#include "loss/language/graph.h"

namespace softwood::loss {

struct Gradient {
  std::vector<NodeId> slopes;  ///< ∂loss/∂f_k; the constant 0 where the loss does not depend on f_k
  /// A node whose derivative in operand `operand` would be needed and is not known; the slopes are
  /// then wrong.
  struct Missing {
    NodeId node;
    std::size_t operand;
  };
  std::optional<Missing> missing;
};

/// Reverse mode, source to source: appends to `graph` the nodes of ∂loss/∂f_k for k < num_outputs.
/// Adjoints are strong zeros: one that is exactly 0 stays 0 whatever it is multiplied with, so a
/// branch not taken never poisons.
Gradient append_gradient(Graph& graph, NodeId loss, std::size_t num_outputs);

}  // namespace softwood::loss
