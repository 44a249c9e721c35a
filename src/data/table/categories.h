#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/text/level_index.h"
#include "softwood/table.h"

namespace softwood {

/// Adds the texts to `levels`; gives the number of each, −1 for a blank one, which is a missing
/// cell as it is in a file.
std::vector<std::int32_t> add_categories(LevelIndex& levels, std::span<const std::string> texts);

/// The codes by other numbers: numbers[code], and −1 for −1. Where nothing changes, the cells
/// themselves come back, borrowed or not. Throws Error for a code beyond `numbers`.
Cells<std::int32_t> renumber(Cells<std::int32_t> codes, std::span<const std::int32_t> numbers,
                             std::string_view column_name);

/// A column of codes and their texts, which may repeat or be blank. The order of the texts stays.
Column categorical_column(std::string name, Cells<std::int32_t> codes,
                          std::span<const std::string> texts);

}  // namespace softwood
