#include "loss/language/graph.h"

#include <algorithm>
#include <bit>

#include "loss/language/limits.h"
#include "loss/language/operations.h"
#include "loss/language/simplify.h"
#include "loss/language/stable_rewrites.h"
#include "loss/language/step_meter.h"

namespace softwood::loss {

bool Node::operator==(const Node& other) const {
  return op == other.op && index == other.index &&
         std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(other.value) &&
         operands == other.operands;
}

std::size_t Graph::Hash::operator()(const Node& node) const {
  std::uint64_t hash = static_cast<std::uint64_t>(node.op) * 0x9E3779B97F4A7C15ULL;
  const auto mix = [&hash](std::uint64_t bits) {
    hash = std::rotl((hash ^ bits) * 0xBF58476D1CE4E5B9ULL, 31);
  };
  mix(node.index);
  mix(std::bit_cast<std::uint64_t>(node.value));
  for (const NodeId operand : node.operands) mix(operand);
  return hash;
}

NodeId Graph::raw(Node node) {
  if (operation(node.op).is_commutative) std::sort(node.operands.begin(), node.operands.end());
  count_steps(1 + node.operands.size() / kOperandsPerStep);
  const auto [entry, fresh] = known_.try_emplace(node, static_cast<NodeId>(nodes_.size()));
  if (!fresh) return entry->second;
  log_depths_.push_back(log_depth_of(node));
  nodes_.push_back(std::move(node));
  return entry->second;
}

void Graph::count_steps(std::size_t steps) {
  steps_ += steps;
  StepMeter::count(steps);
  if (steps_ > kMaxSteps) throw TooManySteps();
}

std::size_t Graph::log_depth_of(const Node& node) const {
  std::size_t deepest = 0;
  switch (node.op) {
    case Op::add:
    case Op::subtract:
    case Op::negate:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::square_root:
    case Op::select:
    case Op::gather:
      for (const NodeId operand : node.operands) deepest = std::max(deepest, log_depths_[operand]);
      break;
    default:
      return 0;
  }
  // Sums are taken apart without recursion.
  const bool is_sum = node.op == Op::add || node.op == Op::subtract || node.op == Op::negate;
  return is_sum ? deepest : deepest + 1;
}

NodeId Graph::constant(double value) {
  return raw({.op = Op::constant, .value = value});
}

NodeId Graph::truth(bool value) {
  return raw({.op = Op::truth, .value = value ? 1.0 : 0.0});
}

NodeId Graph::leaf(Op op, std::uint32_t index) {
  return raw({.op = op, .index = index});
}

NodeId Graph::make(Op op, std::vector<NodeId> operands, std::uint32_t index) {
  const Node node{.op = op, .index = index, .operands = std::move(operands)};
  if (const auto simpler = simplify(*this, node)) return *simpler;
  if (const auto stable = rewrite_stable(*this, node)) return *stable;
  return raw(node);
}

std::vector<bool> reachable(const Graph& graph, std::span<const NodeId> roots) {
  std::vector<bool> marks(graph.size(), false);
  for (const NodeId root : roots) marks[root] = true;
  for (NodeId id = static_cast<NodeId>(graph.size()); id-- > 0;) {
    if (!marks[id]) continue;
    for (const NodeId operand : graph[id].operands) marks[operand] = true;
  }
  return marks;
}

}  // namespace softwood::loss
