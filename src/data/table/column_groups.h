#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "softwood/table.h"

namespace softwood {

/// Neighbours among columns that are in memory together.
using ColumnGroup = std::vector<const Column*>;

/// Cuts columns into groups. Deferred columns (see Cells) are read group by group, each group in
/// one pass over its file: a group's numbers take at most a quarter of what 4-byte numbers of all
/// columns would take, or kSmallGroupBytes if that is more. Columns that are in memory anyway
/// belong to any group; so without deferred ones there is one group.
std::vector<ColumnGroup> group_columns(std::span<const Column* const> columns);
inline constexpr std::size_t kSmallGroupBytes = std::size_t{32} << 20;

/// Reads the deferred columns among them, each file in one pass.
void load_columns(std::span<const Column* const> columns);
/// Lets them go.
void release_columns(std::span<const Column* const> columns);

}  // namespace softwood
