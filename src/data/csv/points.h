#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "data/csv/numbers.h"
#include "data/csv/source.h"
#include "data/text/remark.h"
#include "softwood/table.h"

namespace softwood {

/// The first cell, among the numeric columns, in which the point can only be the decimal sign
/// (12.5, 0.125, but not 12.500). `facts` of each column; those of texts have no fraction.
std::optional<ShownCell> find_decimal_point(const CsvSource& source,
                                            const std::vector<NumberFacts>& facts);

/// A column of 950, 1.234 and
/// 12.500 that is probably one of thousands, and no cell of the file in which the point can only be
/// the decimal sign.
std::optional<Remark> doubtful_thousands(const CsvSource& source,
                                         const std::vector<NumberFacts>& facts);

}  // namespace softwood
