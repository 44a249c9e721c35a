#pragma once

#include "loss/language/graph.h"

namespace softwood::loss {

class Expander;

/// Writes a composite in primitives; returns its node in the expander's graph. The operands of
/// `node` are nodes of that graph.
using Expansion = NodeId(Expander& expander, const Node& node);

/// One per composite of operations.h.
namespace expansions {

Expansion sigmoid, softplus, log_sigmoid, log_cosh, logaddexp, log_mix;
Expansion logsumexp, softmax_at, softmax_complement, neg_log_softmax;

}  // namespace expansions
}  // namespace softwood::loss
