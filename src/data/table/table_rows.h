#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "softwood/table.h"

namespace softwood {

/// Rows first … first + count − 1 (which must be there) of a column, without copying its numbers:
/// they are borrowed. `keeper` keeps `column` alive.
Column view_rows(const Column& column, std::size_t first, std::size_t count,
                 const std::shared_ptr<const void>& keeper);

/// The rows of these numbers (which must be there), in this order; all levels stay.
Table select_rows(const Table& table, std::span<const std::int64_t> rows);

}  // namespace softwood
