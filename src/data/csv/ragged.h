#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/csv/source.h"
#include "data/file/file_bytes.h"

namespace softwood {

/// A row with another number of cells than there are columns.
struct RaggedRow {
  std::size_t row;  // of the table, from 0
  std::size_t cells;
  std::size_t begin, end;  // in the text, the line end included

  /// "line 7: 3 cells instead of 4".
  std::string words(const CsvSource& source) const;
};

/// Makes every row of a CSV text as long as there are columns, unless OnError::stop. The cells that
/// a short row lacks are empty. In a long row nobody knows which cell is which, so all of them
/// become empty, unless it is only followed by empty ones, which are dropped. Later lines keep
/// their numbers (in a table of one column only if no mended row goes over several lines).
class MendedRows {
 public:
  /// If there are such rows, `source` is made to refer to a text that this object owns.
  explicit MendedRows(CsvSource& source);

  /// In order; their places are those in the mended text.
  const std::vector<RaggedRow>& rows() const { return rows_; }

 private:
  ByteBuffer text_;
  std::vector<RaggedRow> rows_;
};

}  // namespace softwood
