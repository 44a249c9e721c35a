#pragma once

#include <array>
#include <span>
#include <vector>

#include "loss/language/graph.h"

namespace softwood::loss {

/// Where an operand's rows stand: in a register, or straight in the caller's memory.
struct Place {
  enum class Kind : std::uint8_t { register_file, response, output, column };
  Kind kind = Kind::register_file;
  std::uint32_t index = 0;
};

struct Instruction {
  Op op;
  std::uint32_t target;         ///< register
  std::uint32_t first_operand;  ///< into InstructionList::operands
  std::uint32_t num_operands;
};

/// A graph in the order of evaluation, as the evaluator runs it. A register holds one block of
/// rows; registers whose last reader has run are used again.
struct InstructionList {
  std::vector<Instruction> instructions;
  std::vector<Place> operands;
  /// Registers [0, constants.size()) hold one constant each, as the bits of every row.
  std::vector<std::uint64_t> constants;
  std::uint32_t num_registers = 0;
  std::vector<Place> results;  ///< one per root

  /// marks[k] is true if column k is read.
  std::vector<bool> columns_read(std::size_t num_columns) const;
};

/// Only what the roots need is in the list. The graph must be free of composites (expand.h).
InstructionList list_instructions(const Graph& graph, std::span<const NodeId> roots);

}  // namespace softwood::loss
