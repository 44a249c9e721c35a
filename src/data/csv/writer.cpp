#include "data/csv/writer.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace softwood {
namespace {

/// What a reader would take for structure, or trim away.
bool needs_quotes(std::string_view text) {
  return text.find_first_of(",;|\t\"\r\n") != std::string_view::npos ||
         (!text.empty() && (text.front() == ' ' || text.back() == ' '));
}

void append_text(std::string_view text, fmt::memory_buffer& out) {
  if (!needs_quotes(text)) {
    out.append(text);
    return;
  }
  out.push_back('"');
  for (const char letter : text) {
    if (letter == '"') out.push_back('"');
    out.push_back(letter);
  }
  out.push_back('"');
}

void append_cell(const Column& column, std::size_t row, fmt::memory_buffer& out) {
  if (column.is_missing(row)) return;
  if (column.kind == ColumnKind::numeric) {
    fmt::format_to(std::back_inserter(out), "{}", column.values[row]);
  } else {
    append_text(column.text(row), out);
  }
}

}  // namespace

std::string to_csv(const Table& table, bool with_header) {
  fmt::memory_buffer out;
  const std::vector<Column>& columns = table.columns();
  for (std::size_t index = 0; with_header && index < columns.size(); ++index) {
    if (index > 0) out.push_back(',');
    append_text(columns[index].name, out);
  }
  if (with_header) out.push_back('\n');
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    for (std::size_t index = 0; index < columns.size(); ++index) {
      if (index > 0) out.push_back(',');
      append_cell(columns[index], row, out);
    }
    // A blank line at the end of a file is no row.
    if (columns.size() == 1 && columns[0].is_missing(row)) out.append(std::string_view("\"\""));
    out.push_back('\n');
  }
  return fmt::to_string(out);
}

}  // namespace softwood
