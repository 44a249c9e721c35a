#include "loss/language/stable_rewrites.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "loss/language/limits.h"

namespace softwood::loss {
namespace {

using Maybe = std::optional<NodeId>;

constexpr double kLogTwo = 0.69314718055994530942;

/// One summand of a sum, with its sign.
struct Term {
  NodeId node;
  bool positive;
};

/// The summands from left to right; none if there are more than limits.h allows, as in a sum that
/// is added to itself again and again.
std::vector<Term> terms_of(Graph& graph, NodeId sum) {
  std::vector<Term> terms, open{{sum, true}};
  std::size_t visited = 0;
  while (!open.empty() && ++visited <= 2 * kMaxTerms) {
    const Term term = open.back();
    open.pop_back();
    const Node& node = graph[term.node];
    if (node.op == Op::add || node.op == Op::subtract) {
      open.push_back({node.operands[1], term.positive == (node.op == Op::add)});
      open.push_back({node.operands[0], term.positive});
    } else if (node.op == Op::negate) {
      open.push_back({node.operands[0], !term.positive});
    } else {
      terms.push_back(term);
    }
  }
  graph.count_steps(visited / kTermsPerStep);
  if (!open.empty()) terms.clear();
  return terms;
}

/// 1 − x as one stable node.
Maybe complement(Graph& graph, NodeId x) {
  const Node node = graph[x];
  switch (node.op) {
    case Op::sigmoid:
    case Op::normal_cdf:
      return graph.make(node.op, graph.make(Op::negate, node.operands[0]));
    case Op::gamma_p:
    case Op::gamma_q:
      return graph.make(node.op == Op::gamma_p ? Op::gamma_q : Op::gamma_p, node.operands);
    case Op::beta_p:
    case Op::beta_q:
      return graph.make(node.op == Op::beta_p ? Op::beta_q : Op::beta_p, node.operands);
    case Op::softmax_at:
      return graph.make(Op::softmax_complement, node.operands, node.index);
    case Op::softmax_complement:
      return graph.make(Op::softmax_at, node.operands, node.index);
    case Op::exp:
      return graph.make(Op::negate, graph.make(Op::expm1, node.operands[0]));
    default:
      return std::nullopt;
  }
}

/// Pairs "1" with a "− probability" among the terms: 1 - p + … keeps the digits of 1 − p.
void merge_complements(Graph& graph, std::vector<Term>& terms) {
  const auto one = std::find_if(terms.begin(), terms.end(), [&](const Term& term) {
    return term.positive && graph.is_constant(term.node, 1);
  });
  if (one == terms.end()) return;
  for (auto term = terms.begin(); term != terms.end(); ++term) {
    if (term->positive || graph.is(term->node, Op::exp)) continue;
    if (const Maybe rest = complement(graph, term->node)) {
      one->node = *rest;
      terms.erase(term);
      return;
    }
  }
}

Maybe log_of(Graph& graph, NodeId x);

/// Of every one of `size` operands with every other.
void count_comparisons(Graph& graph, std::size_t size) {
  graph.count_steps(size * size / (64 * kOperandsPerStep));
}

bool same_elements(Graph& graph, const Node& gather) {
  const Node& first = graph[gather.operands[1]];
  const std::size_t size = first.operands.size();
  if (first.op != Op::softmax_at || size + 1 != gather.operands.size()) return false;
  count_comparisons(graph, size);
  for (std::uint32_t k = 0; k + 1 < gather.operands.size(); ++k) {
    const Node& element = graph[gather.operands[k + 1]];
    const bool same = element.op == Op::softmax_at && element.index == k;
    if (!same || element.operands != first.operands) return false;
  }
  return true;
}

NodeId neg_log_softmax(Graph& graph, NodeId at, std::vector<NodeId> f) {
  f.insert(f.begin(), at);
  return graph.make(Op::neg_log_softmax, std::move(f));
}

/// log(softmax(f)[y]), or the logarithm of any vector's component if all are known.
Maybe log_of_gather(Graph& graph, const Node& node) {
  if (same_elements(graph, node)) {
    const auto f = graph[node.operands[1]].operands;
    return graph.make(Op::negate, neg_log_softmax(graph, node.operands[0], f));
  }
  std::vector<NodeId> logs{node.operands[0]};
  for (std::size_t k = 1; k < node.operands.size(); ++k) {
    const Maybe known = log_of(graph, node.operands[k]);
    if (!known) return std::nullopt;
    logs.push_back(*known);
  }
  return graph.make(Op::gather, std::move(logs));
}

/// log(σ(−l) + σ(l)·exp(x)) from its two terms.
Maybe log_of_mixture(Graph& graph, NodeId rest, NodeId product) {
  if (!graph.is(rest, Op::sigmoid) || !graph.is(product, Op::multiply)) return std::nullopt;
  for (int side = 0; side < 2; ++side) {
    const NodeId share = graph[product].operands[side];
    const NodeId factor = graph[product].operands[1 - side];
    if (complement(graph, rest) != share || !graph.is(share, Op::sigmoid)) continue;
    const Maybe exponent = log_of(graph, factor);
    if (exponent) return graph.make(Op::log_mix, graph[share].operands[0], *exponent);
  }
  return std::nullopt;
}

/// log of a sum, if every summand is positive with a known logarithm.
Maybe log_of_sum(Graph& graph, NodeId x) {
  std::vector<Term> terms = terms_of(graph, x);
  merge_complements(graph, terms);
  if (terms.empty()) return std::nullopt;
  if (terms.size() == 1) return terms[0].positive ? log_of(graph, terms[0].node) : std::nullopt;
  if (terms.size() == 2 && terms[0].positive && terms[1].positive) {
    if (const Maybe mix = log_of_mixture(graph, terms[0].node, terms[1].node)) return mix;
    if (const Maybe mix = log_of_mixture(graph, terms[1].node, terms[0].node)) return mix;
  }
  std::vector<NodeId> logs;
  for (const Term& term : terms) {
    const Maybe known = term.positive ? log_of(graph, term.node) : std::nullopt;
    if (!known) return std::nullopt;
    logs.push_back(*known);
  }
  if (logs.size() == 2) return graph.make(Op::logaddexp, logs[0], logs[1]);
  return graph.make(Op::logsumexp, std::move(logs));
}

/// log(1 − exp(x)) for x ≤ 0 (Mächler 2012): each branch keeps its digits where the other loses
/// them.
NodeId log1mexp(Graph& graph, NodeId x) {
  const NodeId small = graph.make(Op::negate, graph.make(Op::exp, x));
  const NodeId far = graph.raw({.op = Op::log1p, .operands = {small}});
  const NodeId positive = graph.make(Op::negate, graph.make(Op::expm1, x));
  const NodeId near = graph.raw({.op = Op::log, .operands = {positive}});
  return graph.select(graph.make(Op::less, x, graph.constant(-kLogTwo)), far, near);
}

Maybe find_log(Graph& graph, NodeId x);

/// log x as a stable node, if x is positive by its form.
Maybe log_of(Graph& graph, NodeId x) {
  if (graph.log_depth(x) > kMaxLogDepth) return std::nullopt;
  if (const auto known = graph.known_logs().find(x); known != graph.known_logs().end())
    return known->second;
  const Maybe found = find_log(graph, x);
  graph.known_logs().emplace(x, found);
  return found;
}

Maybe find_log(Graph& graph, NodeId x) {
  const Node node = graph[x];
  const auto operand = [&](std::size_t k) { return node.operands[k]; };
  switch (node.op) {
    case Op::constant:
      return node.value > 0 ? Maybe(graph.constant(std::log(node.value))) : std::nullopt;
    case Op::exp:
      return operand(0);
    case Op::sigmoid:
      return graph.make(Op::log_sigmoid, operand(0));
    case Op::normal_cdf:
      return graph.make(Op::normal_log_cdf, operand(0));
    case Op::softmax_at:
      return graph.make(Op::negate,
                        neg_log_softmax(graph, graph.constant(node.index), node.operands));
    case Op::negate:
      if (!graph.is(operand(0), Op::expm1)) return std::nullopt;
      return log1mexp(graph, graph[operand(0)].operands[0]);
    case Op::gather:
      return log_of_gather(graph, node);
    case Op::add:
    case Op::subtract:
      return log_of_sum(graph, x);
    case Op::multiply:
    case Op::divide: {
      const Maybe a = log_of(graph, operand(0));
      const Maybe b = a ? log_of(graph, operand(1)) : std::nullopt;
      if (!b) return std::nullopt;
      return graph.make(node.op == Op::multiply ? Op::add : Op::subtract, *a, *b);
    }
    case Op::power: {
      const Maybe base = log_of(graph, operand(0));
      return base ? Maybe(graph.make(Op::multiply, operand(1), *base)) : std::nullopt;
    }
    case Op::square_root: {
      const Maybe base = log_of(graph, operand(0));
      return base ? Maybe(graph.make(Op::multiply, graph.constant(0.5), *base)) : std::nullopt;
    }
    case Op::select: {
      const Maybe a = log_of(graph, operand(1));
      const Maybe b = a ? log_of(graph, operand(2)) : std::nullopt;
      return b ? Maybe(graph.select(operand(0), *a, *b)) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

/// log(a·exp(x)) = log a + x whatever the sign of a: both sides are NaN together.
Maybe log_of_product(Graph& graph, const Node& product) {
  if (product.op != Op::multiply && product.op != Op::divide) return std::nullopt;
  const bool times = product.op == Op::multiply;
  const NodeId a = product.operands[0], b = product.operands[1];
  if (const Maybe known = graph.is_constant(b) ? std::nullopt : log_of(graph, b)) {
    return graph.make(times ? Op::add : Op::subtract, graph.make(Op::log, a), *known);
  }
  if (const Maybe known = graph.is_constant(a) ? std::nullopt : log_of(graph, a)) {
    return graph.make(times ? Op::add : Op::subtract, *known, graph.make(Op::log, b));
  }
  return std::nullopt;
}

/// log(1 + rest) → log1p(rest); the 1 may stand anywhere in the sum.
Maybe log_of_one_plus(Graph& graph, NodeId x) {
  std::vector<Term> terms = terms_of(graph, x);
  const auto one = std::find_if(terms.begin(), terms.end(), [&](const Term& term) {
    return term.positive && graph.is_constant(term.node, 1);
  });
  if (one == terms.end() || terms.size() < 2) return std::nullopt;
  terms.erase(one);
  NodeId rest = graph.constant(0);
  for (const Term& term : terms) {
    rest = graph.make(term.positive ? Op::add : Op::subtract, rest, term.node);
  }
  return graph.make(Op::log1p, rest);
}

Maybe rewrite_log(Graph& graph, NodeId x) {
  if (graph.log_depth(x) > kMaxLogDepth) return std::nullopt;
  if (const Maybe known = log_of(graph, x)) return known;
  const Node node = graph[x];
  if (const Maybe split = log_of_product(graph, node)) return split;
  if (node.op == Op::add || node.op == Op::subtract) return log_of_one_plus(graph, x);
  return std::nullopt;
}

Maybe rewrite_log1p(Graph& graph, NodeId x) {
  if (graph.is(x, Op::negate)) {
    const NodeId inner = graph[x].operands[0];
    if (graph.is(inner, Op::exp)) return log1mexp(graph, graph[inner].operands[0]);
    const Maybe rest = complement(graph, inner);
    return rest ? Maybe(graph.make(Op::log, *rest)) : std::nullopt;
  }
  if (graph.is_constant(x)) return std::nullopt;
  const Maybe known = log_of(graph, x);
  return known ? Maybe(graph.make(Op::softplus, *known)) : std::nullopt;
}

Maybe rewrite_exp(Graph& graph, NodeId x) {
  if (graph.is(x, Op::log_sigmoid)) return graph.make(Op::sigmoid, graph[x].operands[0]);
  if (!graph.is(x, Op::negate)) return std::nullopt;
  const NodeId inner = graph[x].operands[0];
  if (!graph.is(inner, Op::softplus)) return std::nullopt;
  return graph.make(Op::sigmoid, graph.make(Op::negate, graph[inner].operands[0]));
}

/// exp(x)/(1 + exp(x)) and 1/(1 + exp(x)); a/exp(x) as a product, whose derivative cannot overflow.
Maybe rewrite_divide(Graph& graph, NodeId a, NodeId b) {
  if (graph.is(b, Op::exp)) {
    const NodeId inverse = graph.make(Op::exp, graph.make(Op::negate, graph[b].operands[0]));
    return graph.make(Op::multiply, a, inverse);
  }
  if (!graph.is(b, Op::add)) return std::nullopt;
  for (int side = 0; side < 2; ++side) {
    const NodeId one = graph[b].operands[side], power = graph[b].operands[1 - side];
    if (!graph.is_constant(one, 1) || !graph.is(power, Op::exp)) continue;
    const NodeId x = graph[power].operands[0];
    if (a == power) return graph.make(Op::sigmoid, x);
    const NodeId reversed = graph.make(Op::sigmoid, graph.make(Op::negate, x));
    return graph.make(Op::multiply, a, reversed);
  }
  return std::nullopt;
}

/// Products of exponentials cannot overflow on the way: exp(a)·exp(b) → exp(a + b).
Maybe rewrite_multiply(Graph& graph, NodeId a, NodeId b) {
  if (a == b || !graph.is(a, Op::exp) || !graph.is(b, Op::exp)) return std::nullopt;
  return graph.make(Op::exp, graph.make(Op::add, graph[a].operands[0], graph[b].operands[0]));
}

Maybe rewrite_power(Graph& graph, NodeId a, NodeId b) {
  if (!graph.is(a, Op::exp)) return std::nullopt;
  return graph.make(Op::exp, graph.make(Op::multiply, b, graph[a].operands[0]));
}

/// logsumexp(f) − f[i] or − f[0], if `picked` is a component of f; sums may have reordered the
/// terms.
Maybe rewrite_logsumexp_minus(Graph& graph, std::vector<NodeId> f, NodeId picked) {
  const Node node = graph[picked];
  if (node.op == Op::gather && f.size() + 1 == node.operands.size())
    count_comparisons(graph, f.size());
  if (node.op == Op::gather &&
      std::is_permutation(f.begin(), f.end(), node.operands.begin() + 1, node.operands.end())) {
    return graph.make(Op::neg_log_softmax, node.operands);
  }
  const auto at = std::find(f.begin(), f.end(), picked);
  if (at == f.end()) return std::nullopt;
  const NodeId index = graph.constant(static_cast<double>(at - f.begin()));
  return neg_log_softmax(graph, index, std::move(f));
}

Maybe rewrite_log_partition(Graph& graph, NodeId a, NodeId b) {
  if (graph.is(a, Op::logsumexp)) return rewrite_logsumexp_minus(graph, graph[a].operands, b);
  if (graph.is(a, Op::logaddexp)) {
    const NodeId first = graph[a].operands[0], second = graph[a].operands[1];
    if (b != first && b != second) return std::nullopt;
    const NodeId other = b == first ? second : first;
    return graph.make(Op::softplus, graph.make(Op::subtract, other, b));
  }
  if (graph.is(a, Op::softplus) && graph[a].operands[0] == b) {
    return graph.make(Op::softplus, graph.make(Op::negate, b));
  }
  return std::nullopt;
}

/// lgamma(x + n) − lgamma(x).
Maybe rewrite_lgamma_difference(Graph& graph, NodeId a, NodeId b) {
  if (!graph.is(a, Op::lgamma) || !graph.is(b, Op::lgamma)) return std::nullopt;
  const NodeId sum = graph[a].operands[0], x = graph[b].operands[0];
  if (!graph.is(sum, Op::add)) return std::nullopt;
  const NodeId first = graph[sum].operands[0], second = graph[sum].operands[1];
  if (first != x && second != x) return std::nullopt;
  return graph.make(Op::log_rising, x, first == x ? second : first);
}

Maybe rewrite_subtract(Graph& graph, NodeId a, NodeId b) {
  if (graph.is_constant(a, 1)) {
    if (const Maybe rest = complement(graph, b)) return rest;
  }
  if (graph.is_constant(b, 1)) {
    if (const Maybe rest = complement(graph, a)) return graph.make(Op::negate, *rest);
  }
  if (const Maybe whole = rewrite_log_partition(graph, a, b)) return whole;
  if (const Maybe whole = rewrite_log_partition(graph, b, a)) return graph.make(Op::negate, *whole);
  if (const Maybe rising = rewrite_lgamma_difference(graph, a, b)) return rising;
  if (const Maybe rising = rewrite_lgamma_difference(graph, b, a)) {
    return graph.make(Op::negate, *rising);
  }
  return std::nullopt;
}

}  // namespace

std::optional<NodeId> rewrite_stable(Graph& graph, const Node& node) {
  const NodeId a = node.operands[0];
  const NodeId b = node.operands.size() > 1 ? node.operands[1] : a;
  switch (node.op) {
    case Op::log:
      return rewrite_log(graph, a);
    case Op::log1p:
      return rewrite_log1p(graph, a);
    case Op::exp:
      return rewrite_exp(graph, a);
    case Op::divide:
      return rewrite_divide(graph, a, b);
    case Op::multiply:
      return rewrite_multiply(graph, a, b);
    case Op::power:
      return rewrite_power(graph, a, b);
    case Op::subtract:
      return rewrite_subtract(graph, a, b);
    default:
      return std::nullopt;
  }
}

}  // namespace softwood::loss
