#pragma once

#include <optional>

#include "loss/language/graph.h"

namespace softwood::loss {

/// The numerically stable equal of an expression as people write it, if there is one:
///   log(sigmoid(x)), log(1 - sigmoid(x))  →  log_sigmoid(x), log_sigmoid(-x)
///   1 - sigmoid(x), 1/(1 + exp(-x))       →  sigmoid(-x), sigmoid(x)
///   a/exp(x), exp(a)*exp(b)               →  a*exp(-x), exp(a + b)
///   log(1 + x), log(1 + exp(x))           →  log1p(x), softplus(x)
///   exp(x) - 1, log(1 - exp(x))           →  expm1(x), its two stable branches
///   log of sums and products of things whose logarithms are known (exp, sigmoid, softmax,
///   normal_cdf, positive constants)       →  logaddexp, logsumexp, sums of logarithms
///   log(1 - p + p*exp(x)), p = sigmoid(l) →  log_mix(l, x), the zero-inflated line
///   logsumexp(f) - f[y]                   →  one node without cancellation
///   lgamma(x + n) - lgamma(x)             →  log_rising(x, n)
/// One file holds every rule; tests/loss/language/stable_rewrites_test.cpp tests them one by one.
std::optional<NodeId> rewrite_stable(Graph& graph, const Node& node);

}  // namespace softwood::loss
