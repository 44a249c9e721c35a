#include "data/text/text_tally.h"

#include <algorithm>
#include <numeric>

#include "data/text/cell_text.h"
#include "data/text/missing_text.h"

namespace softwood {
namespace {

NumberStyle style_with(char decimal, char thousands) {
  return {.decimal = decimal, .thousands = thousands == decimal ? '\0' : thousands};
}

}  // namespace

TextReading reading_of(std::string_view text, char thousands) {
  if (is_missing_text(text) || is_missing_among_values(text)) return TextReading::missing;
  if (!has_digit(text)) return parse_number(text) ? TextReading::number : TextReading::word;
  const auto by_point = read_written_number(text, style_with('.', thousands));
  const auto by_comma = read_written_number(text, style_with(',', thousands));
  if (!by_point && !by_comma) return TextReading::code;
  if (!by_comma) return TextReading::point;
  if (!by_point) return TextReading::comma;
  if (by_point->value == by_comma->value) return TextReading::number;
  return by_point->thousands == '\0' ? TextReading::plain : TextReading::either;
}

bool are_strays(std::size_t strays, std::size_t cells, std::size_t cells_per_stray) {
  return strays <= cells / cells_per_stray || (strays == 1 && cells >= kFewestCellsWithStray);
}

bool TextTally::tolerates(std::size_t words, std::size_t codes) const {
  const std::size_t all = std::accumulate(cells.begin() + 1, cells.end(), std::size_t{0});
  return words + codes < all && are_strays(words + codes, all, kCellsPerStray) &&
         are_strays(codes, all, kCellsPerStrayCode);
}

bool TextTally::is_number(char decimal) const {
  const std::size_t of_other = of(decimal == '.' ? TextReading::comma : TextReading::point);
  return tolerates(of(TextReading::word), of(TextReading::code) + of_other);
}

bool TextTally::is_number_by_turns() const {
  return of(TextReading::point) > 0 && of(TextReading::comma) > 0 &&
         tolerates(of(TextReading::word), of(TextReading::code));
}

std::size_t TextTally::find(TextReading reading) const {
  return static_cast<std::size_t>(std::find(readings.begin(), readings.end(), reading) -
                                  readings.begin());
}

std::vector<std::size_t> count_levels(const Column& column) {
  std::vector<std::size_t> counts(column.levels.size());
  for (const std::int32_t code : std::as_const(column.codes)) {
    if (code >= 0) ++counts[static_cast<std::size_t>(code)];
  }
  return counts;
}

TextTally tally_texts(const Column& column, char thousands) {
  TextTally tally{.counts = count_levels(column)};
  const std::size_t all = std::accumulate(tally.counts.begin(), tally.counts.end(), std::size_t{0});
  tally.readings.resize(column.levels.size(), TextReading::word);
  for (std::size_t level = 0; level < column.levels.size(); ++level) {
    const TextReading reading = reading_of(trimmed(column.levels[level]), thousands);
    tally.readings[level] = reading;
    tally.cells[static_cast<std::size_t>(reading)] += tally.counts[level];
    const std::size_t strays = tally.of(TextReading::word) + tally.of(TextReading::code);
    if (strays > 1 && strays > all / kCellsPerStray) break;
  }
  return tally;
}

}  // namespace softwood
