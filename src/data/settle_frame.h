#pragma once

#include <vector>

#include "softwood/table.h"

namespace softwood {

/// Gives the columns of a frame their kinds. Those in options.read_as are converted as
/// convert_column does. The others are what they are, but for undeclared texts if `looks_at_texts`:
/// they are missing, numbers, dates or categories by the rules for a CSV file, and numbers in other
/// columns tell what the point means as they would there; otherwise they are categories. Throws
/// what options.on_note and on_warning throw.
void settle_frame(std::vector<Column>& columns, const ReadOptions& options, bool looks_at_texts);

}  // namespace softwood
