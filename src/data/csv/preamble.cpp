#include "data/csv/preamble.h"

#include <algorithm>
#include <string>
#include <vector>

#include "data/csv/source.h"
#include "data/text/cell_text.h"
#include "data/text/written_number.h"

namespace softwood {
namespace {

/// The line at the front without its end; `text` moves behind it.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void skip_blank(std::string_view& text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos) {
    text = {};
  } else {
    text.remove_prefix(text.substr(0, at).rfind('\n') + 1);
  }
}

/// sep=; or "sep=;"; also sep=\t with a tab itself.
char separator_line(std::string_view line) {
  if (line.size() >= 2 && line.front() == '"' && line.back() == '"') {
    line = line.substr(1, line.size() - 2);
  }
  const bool is_one = line.size() == 5 && lower_case(line.substr(0, 4)) == "sep=";
  return is_one ? line[4] : '\0';
}

std::vector<std::string_view> split(std::string_view line, char delimiter) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t at = line.find(delimiter);
    fields.push_back(trimmed(line.substr(0, at)));
    if (at == std::string_view::npos) return fields;
    line.remove_prefix(at + 1);
  }
}

bool is_number(std::string_view field) {
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"') {
    field = field.substr(1, field.size() - 2);
  }
  return read_written_number(field, {.decimal = '.'}) ||
         read_written_number(field, {.decimal = ','});
}

bool is_remark(std::string_view line) {
  return line.starts_with('#') && (line.size() == 1 || line[1] == ' ' || line[1] == '\t');
}

/// Whether the line that begins with # names the columns of the row below all such lines.
bool names_columns(std::string_view line, std::string_view below, char delimiter) {
  const auto names = split(line, delimiter), cells = split(below, delimiter);
  if (names.size() != cells.size()) return false;
  return !is_remark(line) ||
         (names.size() > 1 && std::any_of(cells.begin(), cells.end(), is_number));
}

/// What follows the comments: the header among the lines that begin with #, or the row below them.
std::string_view skip_comments(std::string_view text, char delimiter, bool header) {
  std::vector<std::string_view> starts;
  std::string_view below = text;
  while (below.starts_with('#')) {
    std::string_view line = below;
    if (!header && !is_remark(take_line(line))) return below;
    starts.push_back(below);
    take_line(below);
    skip_blank(below);
  }
  if (starts.empty() || below.empty()) return text;
  if (!header) return below;
  if (delimiter == '\0') delimiter = detect_delimiter(below);
  std::string_view rest = below, found = below;
  const std::string_view first_row = take_line(rest);
  for (const std::string_view start : starts) {
    rest = start;
    const std::string_view line = take_line(rest);
    if (!names_columns(line, first_row, delimiter)) continue;
    found = start;
    if (!is_remark(line)) break;  // the lines below are rows: #ff0000
  }
  return found;
}

}  // namespace

CsvPreamble read_preamble(std::string_view text, char delimiter, bool header) {
  CsvPreamble preamble;
  skip_blank(text);
  std::string_view rest = text;
  preamble.delimiter = separator_line(take_line(rest));
  if (preamble.delimiter != '\0') {
    text = rest;
    skip_blank(text);
  }
  if (delimiter == '\0') delimiter = preamble.delimiter;
  text = skip_comments(text, delimiter, header);
  if (!text.empty()) preamble.first_row = text.data();
  return preamble;
}

}  // namespace softwood
