#pragma once

#include <span>
#include <vector>

#include "data/table/splits.h"
#include "model/learned_table.h"
#include "softwood/options.h"
#include "softwood/table.h"
#include "task/responses.h"

namespace softwood {

/// Rows of a table that belong together: those of a table that the model has learned from before,
/// or new ones.
struct TablePart {
  std::size_t first = 0, count = 0;
  const LearnedTable* before = nullptr;  ///< borrowed; nullptr: new rows
};

/// Finds the tables that a model has learned from at the beginning of another one, one after the
/// other and in the order in which it learned from them, by their responses. The rows after them
/// are new.
std::vector<TablePart> find_learned_tables(std::span<const LearnedTable> learned,
                                           const std::vector<Responses>& responses,
                                           std::size_t num_rows);

/// What a later training will know these rows by.
LearnedTable learned_table(const std::vector<Responses>& responses, std::size_t first,
                           std::size_t count, std::uint64_t seed, bool has_validation_table);

/// Who learns from which of the learnable rows, and who validates: each part is split by itself, so
/// that a member keeps away from the rows that it has not seen so far. A part too small to be split
/// is learned from by all.
std::vector<Split> split_parts(const TrainOptions& options, std::span<const TablePart> parts,
                               std::span<const std::uint32_t> learnable, const Table& table);

}  // namespace softwood
