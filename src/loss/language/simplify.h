#pragma once

#include <optional>

#include "loss/language/graph.h"

namespace softwood::loss {

/// A simpler node of the same value, if there is one: constants folded, neutral elements removed,
/// double negations cancelled. Changes no finite result by more than the sign of a zero.
std::optional<NodeId> simplify(Graph& graph, const Node& node);

}  // namespace softwood::loss
