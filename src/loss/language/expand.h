#pragma once

#include <span>
#include <vector>

#include "loss/language/graph.h"

namespace softwood::loss {

/// Rebuilds the part of `source` that `roots` need with the composites written out in operations
/// that the evaluator knows, sharing what they have in common: sigmoid(x), softplus(x) and
/// log_sigmoid(−x) all come from one exp(−|x|). Returns the roots' nodes in the new graph.
std::vector<NodeId> expand(const Graph& source, std::span<const NodeId> roots, Graph& expanded);

}  // namespace softwood::loss
