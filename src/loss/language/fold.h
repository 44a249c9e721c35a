#pragma once

#include <optional>

#include "loss/language/graph.h"

namespace softwood::loss {

/// The constant that an operation on constants is, if all its operands are. The evaluator computes
/// it, so that it is what the same numbers would give as data, to the last bit.
std::optional<NodeId> fold_constants(Graph& graph, const Node& node);

}  // namespace softwood::loss
