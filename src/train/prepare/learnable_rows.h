#pragma once

#include <cstdint>
#include <vector>

#include "softwood/table.h"
#include "task/responses.h"
#include "train/prepare/examples.h"

namespace softwood {

/// Up to so many rows, the order of a table's rows does not matter and a weight of 2 is the row
/// twice, to the last bit. Larger tables are not worth sorting: there, no single row decides.
inline constexpr std::size_t kSmallTable = 200;

/// The rows that have a response and a weight above 0, in the order in which training numbers them.
/// `weights` (empty: all 1) are cleared if whole numbers have become repeated rows. In small tables
/// rows are sorted by their cells, column by column of the table, but for `weight_column`. Tells
/// how many are left out.
std::vector<std::uint32_t> learnable_rows(const std::vector<Responses>& responses,
                                          const Table& table, const std::string& weight_column,
                                          std::vector<double>& weights, const NoteSink& note);

}  // namespace softwood
