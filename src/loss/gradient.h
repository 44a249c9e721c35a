#pragma once

#include <vector>

#include "loss/graph.h"

namespace softwood::loss {

/// Reverse mode, source to source: appends to `graph` the nodes of ∂loss/∂f_k for k < num_outputs
/// and returns them (the constant 0 where the loss does not depend on f_k). Adjoints are strong
/// zeros: one that is exactly 0 stays 0 whatever it is multiplied with, so a branch not taken never
/// poisons.
std::vector<NodeId> append_gradient(Graph& graph, NodeId loss, std::size_t num_outputs);

}  // namespace softwood::loss
