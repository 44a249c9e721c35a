#include "data/table/table_preview.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace softwood {
namespace {

/// Six digits; but whole numbers whole, for they may be ids.
std::string number_text(double value) {
  const bool is_whole = value == std::floor(value) && std::abs(value) < 1e15;
  return is_whole ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

constexpr std::size_t kMostRows = 6, kMostColumns = 8, kMostLetters = 20;

bool starts_letter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

std::size_t count_letters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_letter));
}

/// Not longer than kMostLetters, on one line.
std::string shortened(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  if (count_letters(text) <= kMostLetters) return text;
  std::size_t letters = 0, end = 0;
  while (letters < kMostLetters || !starts_letter(text[end])) letters += starts_letter(text[end++]);
  return text.substr(0, end) + "…";
}

std::string cell_text(const Column& column, std::size_t row) {
  if (column.is_missing(row)) return "·";
  if (column.kind == ColumnKind::numeric) return number_text(column.values[row]);
  return shortened(column.text(row));
}

struct PreviewColumn {
  bool right_aligned;
  std::vector<std::string> cells;  // the name first
};

std::vector<PreviewColumn> preview(const Table& table) {
  std::vector<PreviewColumn> columns;
  for (const Column& column : table.columns()) {
    if (columns.size() == kMostColumns) break;
    PreviewColumn& shown =
        columns.emplace_back(PreviewColumn{column.kind == ColumnKind::numeric, {}});
    shown.cells.push_back(shortened(column.name));
    for (std::size_t row = 0; row < std::min(table.num_rows(), kMostRows); ++row) {
      shown.cells.push_back(cell_text(column, row));
    }
    if (table.num_rows() > kMostRows) shown.cells.emplace_back("…");
  }
  return columns;
}

/// "150 rows, 12 columns", or with the number of those shown.
std::string size_text(const Table& table) {
  const auto counted = [](std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  const std::size_t num_columns = table.columns().size();
  std::string text = counted(table.num_rows(), "row") + ", " + counted(num_columns, "column");
  if (num_columns > kMostColumns) text += fmt::format(" (the first {} shown)", kMostColumns);
  return text;
}

void pad(PreviewColumn& column) {
  std::size_t width = 0;
  for (const std::string& cell : column.cells) width = std::max(width, count_letters(cell));
  for (std::string& cell : column.cells) {
    const std::string blanks(width - count_letters(cell), ' ');
    cell = column.right_aligned ? blanks + cell : cell + blanks;
  }
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += letter;
    }
  }
  return result;
}

}  // namespace

std::string preview_text(const Table& table) {
  std::vector<PreviewColumn> columns = preview(table);
  std::for_each(columns.begin(), columns.end(), pad);
  std::string text = "softwood.Table: " + size_text(table);
  for (std::size_t line = 0; !columns.empty() && line < columns[0].cells.size(); ++line) {
    std::string cells;
    for (const PreviewColumn& column : columns) cells += "  " + column.cells[line];
    cells.resize(cells.find_last_not_of(' ') + 1);
    text += "\n" + cells;
  }
  return text;
}

std::string preview_html(const Table& table) {
  const std::vector<PreviewColumn> columns = preview(table);
  std::string html = "<table>\n";
  for (std::size_t line = 0; !columns.empty() && line < columns[0].cells.size(); ++line) {
    const char* tag = line == 0 ? "th" : "td";
    html += "<tr>";
    for (const PreviewColumn& column : columns) {
      html += fmt::format("<{0} style=\"text-align: {1}\">{2}</{0}>", tag,
                          column.right_aligned ? "right" : "left", escaped(column.cells[line]));
    }
    html += "</tr>\n";
  }
  return html + "</table>\n<p>" + size_text(table) + "</p>\n";
}

}  // namespace softwood
