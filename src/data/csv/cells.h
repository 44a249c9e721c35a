#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "data/csv/source.h"
#include "data/text/cell_text.h"

namespace softwood {

/// A cell as it stands in the file. Unquoted: without blanks at its ends and with quotes in its
/// middle as they are. Quoted (RFC 4180): what is between the quotes, doubled quotes not yet
/// undone.
struct CsvCell {
  std::string_view raw;
  bool has_doubled_quotes = false;

  /// The cell's text; `scratch` holds it if it differs from `raw`.
  std::string_view text(std::string& scratch) const;
};

/// Reads the quoted cell whose opening quote is at `place`; see read_cell.
CsvCell read_quoted_cell(const CsvSource& source, const char*& place);

/// Throws Error: the row that begins at `row` has too few or too many fields.
[[noreturn]] void fail_field_count(const CsvSource& source, const char* row);

inline bool is_blank_in_row(char letter, char delimiter) {
  return (letter == ' ' || letter == '\t') && letter != delimiter;
}

/// Reads the cell at `place` and moves `place` to the delimiter or line feed that ends it.
inline CsvCell read_cell(const CsvSource& source, const char*& place) {
  const char delimiter = source.delimiter;
  while (is_blank_in_row(*place, delimiter)) ++place;
  if (*place == '"') return read_quoted_cell(source, place);
  const char* begin = place;
  while (*place != delimiter && *place != '\n') ++place;
  const char* end = place;
  if (*end == '\n' && end > begin && end[-1] == '\r') --end;
  return {trimmed({begin, static_cast<std::size_t>(end - begin)})};
}

/// `place` is at the end of a cell that is not the row's last: moves to the next cell.
inline void go_to_next_cell(const CsvSource& source, const char*& place, const char* row) {
  if (*place != source.delimiter) fail_field_count(source, row);
  ++place;
}

/// `place` is at the end of the row's last cell: moves to the next line.
inline void go_to_next_row(const CsvSource& source, const char*& place, const char* row) {
  if (*place != '\n') fail_field_count(source, row);
  ++place;
}

/// Moves over blank lines. In a table of one column a blank line is a missing cell, not nothing.
inline void skip_blank_lines(const CsvSource& source, const char*& place, const char* end) {
  if (source.names.size() == 1) return;
  while (place < end) {
    const char* line_end = place;
    while (is_blank_in_row(*line_end, source.delimiter) || *line_end == '\r') ++line_end;
    if (*line_end != '\n') return;
    place = line_end + 1;
  }
}

}  // namespace softwood
