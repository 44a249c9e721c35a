#include "data/text_column.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "data/cell_text.h"
#include "data/date_text.h"

namespace softwood {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kLongestCellInMessages = 60;

using LevelReader = std::function<std::optional<double>(std::string_view)>;

/// Replaces codes and levels by the levels' values; NaN is a missing cell. With `bad_rows`, which
/// takes the rows of levels without a value, these cells are missing as well.
std::optional<std::size_t> turn_into_values(Column& column, const LevelReader& read,
                                            std::vector<std::size_t>* bad_rows = nullptr) {
  std::vector<std::optional<double>> level_values;
  level_values.reserve(column.levels.size());
  for (const std::string& level : column.levels) level_values.push_back(read(trimmed(level)));
  std::vector<double> values(column.codes.size(), kMissing);
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (column.codes[row] < 0) continue;
    const std::optional<double>& value = level_values[static_cast<std::size_t>(column.codes[row])];
    if (!value && bad_rows == nullptr) return row;
    if (!value) bad_rows->push_back(row);
    values[row] = value.value_or(kMissing);
  }
  column.values = std::move(values);
  column.codes.clear();
  column.levels.clear();
  return std::nullopt;
}

std::string how_to_read_otherwise(std::string_view column) {
  return fmt::format(
      "Fix the cell, read on without it (--on-error missing or skip), or train with the column as "
      "categories: --categorical {}.",
      column);
}

std::optional<double> number_of_level(std::string_view level) {
  return is_missing_text(level) ? std::optional(kMissing) : parse_number_or_truth(level);
}

/// The order of the levels that are dates at all.
std::string find_order_of_dates(const std::vector<std::string>& levels) {
  std::vector<std::string> dates;
  for (const std::string& level : levels) {
    for (const char* order : {"ymd", "dmy", "mdy"}) {
      if (!parse_date(trimmed(level), order)) continue;
      dates.push_back(level);
      break;
    }
  }
  return find_date_order(dates);
}

}  // namespace

std::optional<std::size_t> turn_into_dates(Column& column, const std::string& order) {
  std::string found = order.empty() ? find_date_order(column.levels) : order;
  if (found.empty()) found = "ymd";
  const auto bad_row =
      turn_into_values(column, [&](std::string_view level) { return parse_date(level, found); });
  if (bad_row) return bad_row;
  column.kind = ColumnKind::datetime;
  column.date_order = found;
  return std::nullopt;
}

std::optional<std::size_t> turn_into_numbers(Column& column) {
  const auto bad_row = turn_into_values(column, number_of_level);
  if (!bad_row) column.kind = ColumnKind::numeric;
  return bad_row;
}

std::vector<std::size_t> read_dates_leniently(Column& column, const std::string& order) {
  std::string found = order.empty() ? find_order_of_dates(column.levels) : order;
  if (found.empty()) found = "ymd";
  std::vector<std::size_t> bad_rows;
  turn_into_values(
      column, [&](std::string_view level) { return parse_date(level, found); }, &bad_rows);
  column.kind = ColumnKind::datetime;
  column.date_order = found;
  return bad_rows;
}

std::vector<std::size_t> read_numbers_leniently(Column& column) {
  std::vector<std::size_t> bad_rows;
  turn_into_values(column, number_of_level, &bad_rows);
  column.kind = ColumnKind::numeric;
  return bad_rows;
}

std::string quoted_for_message(std::string_view cell) {
  std::string text(cell.substr(0, kLongestCellInMessages));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return fmt::format("'{}{}'", text, cell.size() > kLongestCellInMessages ? "…" : "");
}

std::string not_a_number(std::string_view column, std::string_view cell) {
  return fmt::format("column '{}': {} is not a number. {}", column, quoted_for_message(cell),
                     how_to_read_otherwise(column));
}

std::string not_a_date(std::string_view column, std::string_view cell, std::string_view order) {
  return fmt::format("column '{}': {} is not a date{}. {}", column, quoted_for_message(cell),
                     order.empty() ? "" : fmt::format(" written {}", order),
                     how_to_read_otherwise(column));
}

}  // namespace softwood
