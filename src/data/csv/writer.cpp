#include "data/csv/writer.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/compile.h>

namespace softwood {
namespace {

/// Rows that a thread writes at a time.
constexpr std::size_t kPieceRows = std::size_t{1} << 13;

/// What a reader would take for structure, or trim away.
bool needs_quotes(std::string_view text) {
  return text.find_first_of(",;|\t\"\r\n") != std::string_view::npos ||
         (!text.empty() && (text.front() == ' ' || text.back() == ' '));
}

void append_text(std::string_view text, std::string& out) {
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

void append_number(double value, std::string& out) {
  char text[32];  // the longest double has 24 letters
  const char* const end = fmt::format_to(&text[0], FMT_COMPILE("{}"), value);
  out.append(&text[0], static_cast<std::size_t>(end - text));
}

void append_cell(const Column& column, std::size_t row, std::string& out) {
  if (column.is_missing(row)) return;
  if (column.kind == ColumnKind::numeric) {
    append_number(column.values[row], out);
  } else {
    append_text(column.text(row), out);
  }
}

void append_header(const std::vector<Column>& columns, std::string& out) {
  for (std::size_t index = 0; index < columns.size(); ++index) {
    if (index > 0) out.push_back(',');
    append_text(columns[index].name, out);
  }
  out.push_back('\n');
}

void append_row(const std::vector<Column>& columns, std::size_t row, std::string& out) {
  for (std::size_t index = 0; index < columns.size(); ++index) {
    if (index > 0) out.push_back(',');
    append_cell(columns[index], row, out);
  }
  // A blank line at the end of a file is no row.
  if (columns.size() == 1 && columns[0].is_missing(row)) out.append("\"\"");
  out.push_back('\n');
}

}  // namespace

std::vector<std::string> to_csv_pieces(const Table& table, bool with_header, ThreadTeam& team) {
  const std::vector<Column>& columns = table.columns();
  const std::size_t num_rows = table.num_rows();
  std::vector<std::string> pieces(1 + (num_rows + kPieceRows - 1) / kPieceRows);
  if (with_header) append_header(columns, pieces[0]);
  team.for_each(pieces.size() - 1, [&](std::size_t piece) {
    const std::size_t first = piece * kPieceRows, end = std::min(num_rows, first + kPieceRows);
    for (std::size_t row = first; row < end; ++row) append_row(columns, row, pieces[1 + piece]);
  });
  return pieces;
}

std::string to_csv(const Table& table, bool with_header) {
  ThreadTeam alone(1);
  std::string text;
  for (const std::string& piece : to_csv_pieces(table, with_header, alone)) text += piece;
  return text;
}

}  // namespace softwood
