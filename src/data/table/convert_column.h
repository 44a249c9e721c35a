#pragma once

#include "data/text/written_number.h"
#include "softwood/table.h"

namespace softwood {

/// The column as a model has learned it, for tables whose columns have types of their own. Numbers
/// and dates become texts as Column::text writes them (3, not 3.0); texts become numbers (true and
/// false 1 and 0, NA and its like missing) or dates. Throws Error with row
/// and text for a cell that cannot be, and for numbers that should be dates or dates that should be
/// numbers. `style`: how the texts' numbers are written.
Column convert_column(Column column, const ReadAs& read_as,
                      const NumberStyle& style = {.is_settled = false});

}  // namespace softwood
