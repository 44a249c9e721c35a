#pragma once

#include <string>
#include <vector>

#include "data/table/splits.h"
#include "softwood/compare.h"

namespace softwood {

/// Rows to train on, and as validation rows those that are held out.
Split held_out_rows(const Table& table, const HoldOutOptions& options);

/// The table without the responses of some rows. A row without one neither trains nor counts, and
/// rows keep their numbers in messages.
Table without_responses(const Table& table, const std::string& target,
                        const std::vector<std::uint32_t>& rows);

}  // namespace softwood
