#pragma once

#include <string>
#include <vector>

#include "softwood/table.h"

namespace softwood {

/// A table of a frame's columns, each of its kind. Those in options.read_as are converted as
/// convert_column does; texts that cannot be are treated by options.on_error, as in a file. The
/// others are what they are, but for undeclared texts if `looks_at_texts`: they are missing,
/// numbers, dates or categories by the rules for a CSV file, and numbers in other columns tell what
/// the point means as they would there; otherwise they are categories.
Table settle_frame(std::vector<Column> columns, const ReadOptions& options, bool looks_at_texts,
                   std::string origin = "the table");

}  // namespace softwood
