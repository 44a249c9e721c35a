#pragma once

#include <string>
#include <string_view>

#include "softwood/table.h"

namespace softwood {

/// read_table from memory: the content of a file called `name`.
Table read_table_bytes(std::string_view content, const std::string& name,
                       const ReadOptions& options = {});

}  // namespace softwood
