#pragma once

#include <memory>

#include "data/arrow/abi.h"
#include "softwood/table.h"

namespace softwood {

/// Makes `*out` a stream of one record batch that holds the table, with missing cells as nulls:
/// numeric columns as float64 and the codes of categorical ones as int32 (with a dictionary of
/// large_utf8) where they are in memory, not copied; datetime ones as timestamp[us] without a zone,
/// null outside the years that those reach. The table lives until the last array is released; the
/// receiver releases `*out`.
void write_arrow(std::shared_ptr<const Table> table, ArrowArrayStream* out);

}  // namespace softwood
