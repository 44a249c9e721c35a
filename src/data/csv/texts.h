#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/thread_team.h"
#include "data/csv/chunks.h"
#include "data/csv/source.h"
#include "softwood/table.h"

namespace softwood {

/// Reads some columns (`wanted`: ascending places) as categorical ones, chunk by chunk in parallel;
/// levels in order of first appearance. The chunks must be known to be cut rightly.
std::vector<Column> read_texts(const CsvSource& source, const std::vector<CsvChunk>& chunks,
                               const std::vector<std::size_t>& wanted, ThreadTeam& team);

/// Where the cell stands in the text; for messages.
const char* find_cell(const CsvSource& source, std::size_t row, std::size_t column);

/// "line 17" for each of these rows, which ascend; for messages.
std::vector<std::string> lines_of_rows(const CsvSource& source, std::span<const std::size_t> rows);

}  // namespace softwood
