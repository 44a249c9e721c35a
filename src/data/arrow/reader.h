#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/arrow/abi.h"
#include "softwood/table.h"

namespace softwood {

/// Takes over an Arrow stream of record batches (or of plain arrays: a table of one column, called
/// x1 if it has no name) and reads it to its end. The stream and all arrays are released exactly
/// once, also when an Error is thrown; borrowed arrays (see read_arrow_column) with the last column
/// that uses them.
///
/// A frame's types are believed where a file's cells are looked at:
/// - numbers, booleans (1 and 0), decimals, durations and times of day (seconds) are numeric,
///   dates and timestamps datetime, texts and dictionaries categorical;
/// - null is missing, as is NaN, and a text that is empty or blank, as in a file; a dictionary's
///   levels NA, ? and null are levels;
/// - the levels of texts stand in order of first appearance, as in a CSV file; those of a
///   dictionary in its own order, used or not, as in an ARFF file.
/// options.read_as converts columns as convert_column does; names that are not there are ignored.
/// Texts that are no dictionary's are categories, or, if `looks_at_texts`, what settle_frame finds.
/// `names`, unless empty, are the columns' names instead of their own.
Table read_arrow(ArrowArrayStream* stream, const ReadOptions& options = {},
                 const std::vector<std::string>& names = {}, bool looks_at_texts = false);

/// The same before settle_frame: texts are undeclared. What is wanted as categories by `read_as`
/// has texts for booleans.
std::vector<Column> read_arrow_columns(ArrowArrayStream* stream, const ColumnKinds& read_as,
                                       const std::vector<std::string>& names);

}  // namespace softwood
