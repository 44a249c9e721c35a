#pragma once

#include "loss/language/graph.h"

namespace softwood::loss {

class Adjoints;

/// The rule of an operation's derivative: adds to the adjoints of the operands of node `id` what
/// they get of its own adjoint.
using Derivative = void(Adjoints& adjoints, NodeId id, const Node& node, NodeId adjoint);

/// One rule per operation of operations.h.
namespace derivatives {

/// Nothing goes further: leaves, and what is constant between its jumps.
Derivative stop;
/// Of what only the evaluator and derivatives themselves use. Throws std::logic_error.
Derivative never_needed;

Derivative add, subtract, multiply, divide, power, minimum, maximum, square_root, select, log,
    log1p;
Derivative log_rising, log_multichoose, sum_log1p, gather;
/// Distribution functions and their complements: known in the last operand alone, since nobody
/// knows a cheap derivative in the others.
Derivative rising_in_last, falling_in_last;
Derivative logaddexp, log_mix, logsumexp, softmax_at, softmax_complement, neg_log_softmax;

/// f'(x) of a function of one operand: `id` is the node of f(x).
using Slope = NodeId(Adjoints& adjoints, NodeId id, NodeId x);

namespace slopes {

Slope negate, absolute, exp, expm1, tanh, erf, normal_cdf, sigmoid, log_sigmoid;
NodeId of_op(Adjoints& adjoints, Op op, NodeId x);
/// The slope is an operation itself.
template <Op op>
NodeId as(Adjoints& adjoints, NodeId /*id*/, NodeId x) {
  return of_op(adjoints, op, x);
}

}  // namespace slopes

void chain_by_slope(Adjoints& adjoints, NodeId id, const Node& node, NodeId adjoint, Slope* slope);
/// operand += adjoint · slope.
template <Slope* slope>
void by_slope(Adjoints& adjoints, NodeId id, const Node& node, NodeId adjoint) {
  chain_by_slope(adjoints, id, node, adjoint, slope);
}

}  // namespace derivatives
}  // namespace softwood::loss
