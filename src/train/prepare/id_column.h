#pragma once

#include <optional>
#include <span>
#include <string>

#include "softwood/table.h"

namespace softwood {

/// Why a numeric column is probably the number of its row and nothing to learn from: whole numbers
/// that count up by one from 0 or 1 row by row and are called nothing that has to do with time; or
/// hardly two of which are alike and which are called an id (id, CustomerId, order_id, index, …).
/// Measurements may be all different too; years, days and other times count up: these give nothing.
std::optional<std::string> looks_like_id(const Column& column);

}  // namespace softwood
