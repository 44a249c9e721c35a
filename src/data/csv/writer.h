#pragma once

#include <string>
#include <vector>

#include "base/thread_team.h"
#include "softwood/table.h"

namespace softwood {

/// RFC 4180 with a header line: quotes where needed, numbers in their shortest exact form, missing
/// cells empty. Reading it back gives the same cells; only a level that is a missing token ("NA")
/// comes back as missing. Without the header, rows that follow those of another table.
std::string to_csv(const Table& table, bool with_header = true);

/// The same in pieces of some rows, in order, which the team writes side by side.
std::vector<std::string> to_csv_pieces(const Table& table, bool with_header, ThreadTeam& team);

}  // namespace softwood
