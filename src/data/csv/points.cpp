#include "data/csv/points.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "data/csv/cells.h"
#include "data/text/cell_text.h"
#include "data/text/text_tally.h"

namespace softwood {
namespace {

/// Whether the text is a number with a fraction, such as 12.5 but not 12.0.
bool has_fraction(std::string_view text) {
  const std::optional<double> value = parse_number(text);
  return value && std::isfinite(*value) && *value != std::floor(*value);
}

}  // namespace

std::optional<ShownCell> find_decimal_point(const CsvSource& source,
                                            const std::vector<NumberFacts>& facts) {
  if (std::none_of(facts.begin(), facts.end(),
                   [](const NumberFacts& each) { return each.fraction.has_value(); })) {
    return {};
  }
  std::string scratch;
  const char* place = source.first_row;
  skip_blank_lines(source, place, source.end());
  TextBehind behind(source, place);
  for (std::size_t row = 0; place < source.end(); ++row) {
    for (std::size_t column = 0; column < facts.size(); ++column) {
      const CsvCell cell = read_cell(source, place);
      ++place;
      if (!facts[column].fraction) continue;
      const std::string_view text = trimmed(cell.text(scratch));
      if (has_fraction(text) && reading_of(text) == TextReading::point) {
        return ShownCell{row, std::string(text), source.names[column]};
      }
    }
    skip_blank_lines(source, place, source.end());
    behind.walk_to(place);
  }
  return std::nullopt;
}

std::optional<Remark> doubtful_thousands(const CsvSource& source,
                                         const std::vector<NumberFacts>& facts) {
  for (std::size_t place = 0; place < facts.size(); ++place) {
    const NumberFacts& column = facts[place];
    if (!column.fraction || !column.has_whole || !column.fits_thousands) continue;
    if (find_decimal_point(source, facts)) return std::nullopt;
    const std::string text = fmt::format("{:.3f}", *column.fraction);
    return Remark{.is_warning = true,
                  .before = "nothing in the table tells what the point in ",
                  .cells = {{column.fraction_row, text, source.names[place]}},
                  .after = fmt::format(" means: it is read as {}; --thousands . reads {}",
                                       number_text(*column.fraction),
                                       number_text(std::round(*column.fraction * 1000)))};
  }
  return std::nullopt;
}

}  // namespace softwood
