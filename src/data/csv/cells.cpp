#include "data/csv/cells.h"

#include <fmt/format.h>

namespace softwood {

std::string_view CsvCell::text(std::string& scratch) const {
  if (!has_doubled_quotes) return raw;
  scratch.clear();
  for (std::size_t at = 0; at < raw.size(); ++at) {
    scratch += raw[at];
    if (raw[at] == '"') ++at;
  }
  return scratch;
}

CsvCell read_quoted_cell(const CsvSource& source, const char*& place) {
  const char* opening = place++;
  const char* begin = place;
  CsvCell cell;
  while (true) {
    const void* quote = std::memchr(place, '"', static_cast<std::size_t>(source.end() - place));
    if (quote == nullptr) source.fail(opening, "a quote opens here and never closes.");
    place = static_cast<const char*>(quote) + 1;
    if (*place != '"') break;
    cell.has_doubled_quotes = true;
    ++place;
  }
  cell.raw = {begin, static_cast<std::size_t>(place - 1 - begin)};
  while (is_blank_in_row(*place, source.delimiter) || *place == '\r') ++place;
  if (*place != source.delimiter && *place != '\n') {
    source.fail(place,
                "text follows a closing quote. Write quotes inside a quoted cell twice (\"\").");
  }
  return cell;
}

void fail_field_count(const CsvSource& source, const char* row) {
  const char* place = row;
  std::size_t found = 1;
  for (read_cell(source, place); *place != '\n'; ++found) {
    ++place;
    read_cell(source, place);
  }
  const std::size_t expected = source.names.size();
  source.fail(row, fmt::format("{} field{} where {} {} expected. Check the delimiters ('{}') and "
                               "quotes of this row, or read on without it (--on-error missing or "
                               "skip).",
                               found, found == 1 ? "" : "s", expected, expected == 1 ? "is" : "are",
                               source.delimiter == '\t' ? std::string("\\t")
                                                        : std::string(1, source.delimiter)));
}

}  // namespace softwood
