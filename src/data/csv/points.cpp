#include "data/csv/points.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "data/csv/cells.h"
#include "data/text/cell_text.h"
#include "data/text/text_tally.h"

namespace softwood {
namespace {

bool has_fraction(double value) {
  return std::isfinite(value) && value != std::floor(value);
}

/// Columns of numbers some of which have a fraction.
std::vector<bool> columns_with_fractions(const std::vector<Column>& columns,
                                         const std::vector<std::size_t>& texts) {
  std::vector<bool> found(columns.size());
  for (std::size_t place = 0; place < columns.size(); ++place) {
    if (std::binary_search(texts.begin(), texts.end(), place)) continue;
    found[place] =
        std::any_of(columns[place].values.begin(), columns[place].values.end(), has_fraction);
  }
  return found;
}

/// Numbers below 1000 with three decimals or none, and some of each.
bool looks_like_thousands(const Column& column) {
  bool has_whole = false;
  for (const double value : column.values) {
    if (std::isnan(value)) continue;
    if (!(std::abs(value) < 1000)) return false;
    has_whole |= !has_fraction(value);
    if (has_fraction(value) &&
        (std::abs(value) < 1 || has_fraction(std::round(value * 1e9) / 1e6))) {
      return false;
    }
  }
  return has_whole;
}

}  // namespace

std::optional<ShownCell> find_decimal_point(const CsvSource& source,
                                            const std::vector<Column>& columns,
                                            const std::vector<std::size_t>& texts) {
  const std::vector<bool> wanted = columns_with_fractions(columns, texts);
  if (std::none_of(wanted.begin(), wanted.end(), [](bool each) { return each; })) return {};
  std::string scratch;
  const char* place = source.first_row;
  skip_blank_lines(source, place, source.end());
  for (std::size_t row = 0; place < source.end(); ++row) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const std::string_view text = trimmed(read_cell(source, place).text(scratch));
      ++place;
      if (!wanted[column] || !has_fraction(columns[column].values[row])) continue;
      if (reading_of(text) == TextReading::point) {
        return ShownCell{row, std::string(text), source.names[column]};
      }
    }
    skip_blank_lines(source, place, source.end());
  }
  return std::nullopt;
}

std::optional<Remark> doubtful_thousands(const CsvSource& source,
                                         const std::vector<Column>& columns,
                                         const std::vector<std::size_t>& texts) {
  if (source.delimiter != ';') return std::nullopt;
  const std::vector<bool> fractions = columns_with_fractions(columns, texts);
  for (std::size_t place = 0; place < columns.size(); ++place) {
    if (!fractions[place] || !looks_like_thousands(columns[place])) continue;
    if (find_decimal_point(source, columns, texts)) return std::nullopt;
    const auto& values = columns[place].values;
    const auto found = std::find_if(values.begin(), values.end(), has_fraction);
    const std::string text = fmt::format("{:.3f}", *found);
    return Remark{
        .is_warning = true,
        .before = "nothing in the table tells what the point in ",
        .cells = {{static_cast<std::size_t>(found - values.begin()), text, columns[place].name}},
        .after = fmt::format(" means: it is read as {}; --thousands . reads {}",
                             number_text(*found), number_text(std::round(*found * 1000)))};
  }
  return std::nullopt;
}

}  // namespace softwood
