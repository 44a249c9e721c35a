#include "data/csv/source.h"

#include <algorithm>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "data/csv/cells.h"
#include "data/csv/preamble.h"
#include "softwood/error.h"

namespace softwood {
namespace {

constexpr std::string_view kDelimiters = ",;\t|";
constexpr std::size_t kSampledRows = 30;

/// Moves over one row as `delimiter` would cut it and returns its number of fields.
std::size_t count_fields(std::string_view& text, char delimiter) {
  std::size_t fields = 1;
  bool quoted = false, at_cell_start = true;
  std::size_t at = 0;
  for (; at < text.size() && (quoted || text[at] != '\n'); ++at) {
    const char letter = text[at];
    if (letter == '"' && (quoted || at_cell_start)) quoted = !quoted;
    // After a closing quote another one opens again: that is how doubled quotes are passed.
    at_cell_start = (letter == '"' && !quoted) || (letter == delimiter && !quoted) ||
                    (at_cell_start && is_blank_in_row(letter, delimiter));
    if (letter == delimiter && !quoted) ++fields;
  }
  text.remove_prefix(std::min(at + 1, text.size()));
  return fields;
}

bool is_blank_line(std::string_view text) {
  return text.find_first_not_of(" \t\r") == text.find('\n');
}

/// The fields of the first rows.
std::vector<std::size_t> sample_field_counts(std::string_view text, char delimiter) {
  std::vector<std::size_t> counts;
  while (!text.empty() && counts.size() < kSampledRows) {
    const bool blank = is_blank_line(text);
    const std::size_t fields = count_fields(text, delimiter);
    if (!blank) counts.push_back(fields);
  }
  return counts;
}

/// Whether every comma of the first rows stands between two digits, as in 1,5;2,5.
bool only_decimal_commas(std::string_view text) {
  const auto is_digit = [&](std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  std::size_t end = 0;
  for (std::size_t row = 0; row < kSampledRows && end != std::string_view::npos; ++row) {
    end = text.find('\n', end + 1);
  }
  text = text.substr(0, end);
  for (std::size_t at = text.find(','); at != std::string_view::npos; at = text.find(',', at + 1)) {
    if (at == 0 || !is_digit(at - 1) || !is_digit(at + 1)) return false;
  }
  return true;
}

/// The cells of the row at `place`, which moves to the next row.
std::vector<std::string> read_row(const CsvSource& source, const char*& place) {
  std::vector<std::string> cells;
  std::string scratch;
  while (true) {
    cells.push_back(as_utf8(read_cell(source, place).text(scratch)));
    if (*place++ == '\n') return cells;
  }
}

void reject_repeated_names(const CsvSource& source, const char* header) {
  std::map<std::string_view, std::size_t> places;
  for (std::size_t column = 0; column < source.names.size(); ++column) {
    const auto [same, is_new] = places.emplace(source.names[column], column);
    if (is_new) continue;
    source.fail(header, fmt::format("columns {} and {} are both called '{}'. Rename one of them.",
                                    same->second + 1, column + 1, source.names[column]));
  }
}

void check_delimiter(char delimiter) {
  if (std::string_view("\"\r\n").find(delimiter) != std::string_view::npos) {
    throw Error("the delimiter cannot be a quote or a line end.");
  }
}

/// "# x", as NumPy heads its first column, is x.
void drop_comment_sign(std::string& name) {
  if (name.starts_with("# ") || name.starts_with("#\t")) name = trimmed(name.substr(2));
}

void name_columns(std::vector<std::string>& names, bool header) {
  for (std::size_t column = 0; column < names.size(); ++column) {
    if (!header || names[column].empty()) names[column] = fmt::format("x{}", column + 1);
  }
}

/// In a table of one column blank lines are cells, but those at the end are only how the file ends.
void cut_blank_end(CsvSource& source) {
  const std::size_t last = source.text.find_last_not_of(" \t\r\n");
  const std::size_t end = source.text.find('\n', last) + 1;
  source.text = source.text.substr(0, end);
}

}  // namespace

std::size_t CsvSource::line_of(const char* place) const {
  constexpr std::ptrdiff_t kStep = std::ptrdiff_t{1} << 20;
  std::ptrdiff_t lines = 1;
  TextBehind behind(*this, text.data());
  for (const char* from = text.data(); from < place; behind.walk_to(from)) {
    const char* to = from + std::min(kStep, place - from);
    lines += std::count(from, to, '\n');
    from = to;
  }
  return static_cast<std::size_t>(lines);
}

void CsvSource::fail_changed() const {
  throw Error(fmt::format(
      "'{}' has changed while it was being read. Start again, and leave it as it is meanwhile.",
      origin));
}

void CsvSource::fail(const char* place, const std::string& message) const {
  throw Error(fmt::format("{}:{}: {}", origin, line_of(place), message));
}

char detect_delimiter(std::string_view text) {
  char best = ',';
  std::size_t most = 1;
  bool best_is_even = false;
  for (const char delimiter : kDelimiters) {
    const std::vector<std::size_t> counts = sample_field_counts(text, delimiter);
    if (counts.empty() || counts[0] == 1) continue;
    const bool even = std::all_of(counts.begin(), counts.end(),
                                  [&](std::size_t count) { return count == counts[0]; });
    const bool beats_decimals = best == ',' && best_is_even && even && only_decimal_commas(text);
    if (even < best_is_even) continue;
    if (even == best_is_even && counts[0] <= most && !beats_decimals) continue;
    best = delimiter;
    most = counts[0];
    best_is_even = even;
  }
  return best;
}

CsvSource open_csv(const FileBytes& file, const ReadOptions& options) {
  CsvSource source;
  source.text = file.text();
  source.origin = file.origin();
  source.mapped = file.mapped();
  source.on_error = options.on_error;
  check_delimiter(options.delimiter);
  const CsvPreamble preamble = read_preamble(source.text, options.delimiter, options.header);
  const char* header = preamble.first_row;
  if (header == nullptr) throw Error(fmt::format("'{}' is empty.", source.origin));
  source.delimiter = options.delimiter != '\0'    ? options.delimiter
                     : preamble.delimiter != '\0' ? preamble.delimiter
                                                  : detect_delimiter({header, source.end()});
  const char* next_row = header;
  source.names = read_row(source, next_row);
  drop_comment_sign(source.names.front());
  reject_nul(source, header, next_row);
  name_columns(source.names, options.header);
  reject_repeated_names(source, header);
  source.first_row = options.header ? next_row : header;
  if (source.names.size() == 1) cut_blank_end(source);
  return source;
}

void reject_nul(const CsvSource& source, const char* begin, const char* end) {
  const void* nul = std::memchr(begin, '\0', static_cast<std::size_t>(end - begin));
  if (nul == nullptr) return;
  source.fail(static_cast<const char*>(nul),
              "a NUL byte. This is no CSV text, or one in UTF-16 or UTF-32: convert it to UTF-8.");
}

}  // namespace softwood
