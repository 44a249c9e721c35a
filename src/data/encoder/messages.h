#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "softwood/table.h"

namespace softwood {

/// "row 3 of visits.csv: column 'age' is infinite. …"
std::string infinite_cell(const Table& table, const Column& column, std::size_t row);

/// "row 3 of visits.csv: column 'age' holds 'abc' where the model expects a number. …"; `expected`
/// is "a number" or "a date".
std::string unexpected_cell(const Table& table, const Column& column, std::size_t row,
                            std::string_view expected);

}  // namespace softwood
