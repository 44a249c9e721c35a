#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "data/csv/source.h"
#include "data/text/remark.h"
#include "softwood/table.h"

namespace softwood {

/// The first cell, among the numeric columns, in which the point can only be the decimal sign
/// (12.5, 0.125, but not 12.500). `texts`: places of the other columns, ascending.
std::optional<ShownCell> find_decimal_point(const CsvSource& source,
                                            const std::vector<Column>& columns,
                                            const std::vector<std::size_t>& texts);

/// In a file with semicolons, where commas are free to be decimal signs: a column of 950, 1.234 and
/// 12.500 that is probably one of thousands, and no cell of the file in which the point can only be
/// the decimal sign.
std::optional<Remark> doubtful_thousands(const CsvSource& source,
                                         const std::vector<Column>& columns,
                                         const std::vector<std::size_t>& texts);

}  // namespace softwood
