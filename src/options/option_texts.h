#pragma once

#include "softwood/options.h"
#include "softwood/table.h"

namespace softwood {

/// The options with all texts in UTF-8 (other bytes are read as Latin-1, as tables are), so that
/// they name columns and can be written into a model. A loss's file name stays as it is.
TrainOptions in_utf8(TrainOptions options);

/// Throws Error if a name or level is not UTF-8: a model of this table could not be written.
void check_texts(const Table& table);

}  // namespace softwood
