#include "loss/language/instructions.h"

#include <bit>
#include <cassert>

#include "loss/language/operations.h"

namespace softwood::loss {
namespace {

std::uint64_t bits_of(const Node& node) {
  if (node.op == Op::truth) return node.value != 0 ? ~std::uint64_t{0} : 0;
  return std::bit_cast<std::uint64_t>(node.value);
}

class Lister {
 public:
  Lister(const Graph& graph, std::span<const NodeId> roots)
      : graph_(graph), roots_(roots), places_(graph.size()), readers_left_(graph.size(), 0) {}

  InstructionList run() {
    const std::vector<bool> needed = reachable(graph_, roots_);
    count_readers(needed);
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (needed[id]) place_leaf(id);
    }
    list_.num_registers = static_cast<std::uint32_t>(list_.constants.size());
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (needed[id] && !is_leaf(graph_[id].op)) emit(id);
    }
    for (const NodeId root : roots_) list_.results.push_back(places_[root]);
    return std::move(list_);
  }

 private:
  void count_readers(const std::vector<bool>& needed) {
    for (const NodeId root : roots_) ++readers_left_[root];
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (!needed[id]) continue;
      for (const NodeId operand : graph_[id].operands) ++readers_left_[operand];
    }
  }

  void place_leaf(NodeId id) {
    const Node& node = graph_[id];
    switch (node.op) {
      case Op::constant:
      case Op::truth:
        places_[id] = {Place::Kind::register_file,
                       static_cast<std::uint32_t>(list_.constants.size())};
        list_.constants.push_back(bits_of(node));
        break;
      case Op::response:
        places_[id] = {Place::Kind::response, 0};
        break;
      case Op::output:
        places_[id] = {Place::Kind::output, node.index};
        break;
      case Op::column:
        places_[id] = {Place::Kind::column, node.index};
        break;
      default:
        break;
    }
  }

  void emit(NodeId id) {
    const Node& node = graph_[id];
    assert(operation(node.op).role == Role::primitive && "composites are expanded first");
    const auto first = static_cast<std::uint32_t>(list_.operands.size());
    for (const NodeId operand : node.operands) list_.operands.push_back(places_[operand]);
    // Operands are released first: an operation may write over what it reads for the last time.
    for (const NodeId operand : node.operands) release(operand);
    const std::uint32_t target = take_register();
    places_[id] = {Place::Kind::register_file, target};
    list_.instructions.push_back(
        {node.op, target, first, static_cast<std::uint32_t>(node.operands.size())});
  }

  void release(NodeId id) {
    if (--readers_left_[id] == 0 && !is_leaf(graph_[id].op)) free_.push_back(places_[id].index);
  }

  std::uint32_t take_register() {
    if (free_.empty()) return list_.num_registers++;
    const std::uint32_t taken = free_.back();
    free_.pop_back();
    return taken;
  }

  const Graph& graph_;
  std::span<const NodeId> roots_;
  InstructionList list_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> readers_left_;
  std::vector<std::uint32_t> free_;
};

}  // namespace

std::vector<bool> InstructionList::columns_read(std::size_t num_columns) const {
  std::vector<bool> marks(num_columns, false);
  for (const auto* places : {&operands, &results}) {
    for (const Place& place : *places) {
      if (place.kind == Place::Kind::column) marks[place.index] = true;
    }
  }
  return marks;
}

InstructionList list_instructions(const Graph& graph, std::span<const NodeId> roots) {
  return Lister(graph, roots).run();
}

}  // namespace softwood::loss
