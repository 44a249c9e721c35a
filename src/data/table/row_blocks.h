#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "softwood/table.h"

namespace softwood {

/// Rows first … first + count − 1 of some columns (`names`, each once) as a table of its own, which
/// calls its rows by the numbers that they have in the whole (Table::row_number). Of deferred
/// columns (see Cells) only these rows are read; the block is in memory.
Table copy_rows(const Table& table, std::span<const std::string> names, std::size_t first,
                std::size_t count);

}  // namespace softwood
