#pragma once

#include "softwood/table.h"

namespace softwood {

/// The table with the columns that `options.read_as` names converted as convert_column does; what
/// its texts lack of being numbers or dates is treated by `options.on_error`, as in a file. A whole
/// column of the wrong kind (numbers that should be dates) is an Error in any case.
Table convert_table(Table table, const ReadOptions& options);

}  // namespace softwood
