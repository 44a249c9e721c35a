#pragma once

#include <string>
#include <vector>

#include "data/encoder/encoder.h"
#include "softwood/table.h"

namespace softwood {

/// What was read, in one sentence: "20,190 rows, 9 columns: 7 numbers, 2 categories; 312 cells (0.2
/// %) missing; left out: name (no two rows alike)". `dropped`: left out because the user said so.
std::string table_account(const Table& table, const LeftOut& left_out,
                          const std::vector<std::string>& dropped);

/// 20,190
std::string with_thousands(std::size_t count);

}  // namespace softwood
