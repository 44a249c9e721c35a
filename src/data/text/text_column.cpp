#include "data/text/text_column.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "data/text/cell_text.h"
#include "data/text/date_text.h"
#include "data/text/missing_text.h"

namespace softwood {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kLongestCellInMessages = 60;

using LevelReader = std::function<std::optional<double>(std::string_view)>;

/// The first row whose level is not read, if there is one; otherwise the column has values. With
/// `bad_rows`, which takes the rows of such levels, these cells are missing.
std::optional<std::size_t> read_all_levels(Column& column, const LevelReader& read,
                                           std::vector<std::size_t>* bad_rows = nullptr) {
  std::vector<std::optional<double>> values;
  values.reserve(column.levels.size());
  for (const std::string& level : column.levels) values.push_back(read(trimmed(level)));
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    const std::int32_t code = std::as_const(column.codes)[row];
    if (code < 0 || values[static_cast<std::size_t>(code)]) continue;
    if (bad_rows == nullptr) return row;
    bad_rows->push_back(row);
  }
  turn_into_values(column, [&](std::size_t level) { return values[level].value_or(kMissing); });
  return std::nullopt;
}

/// What each decimal sign would make of it, if that is not the same.
std::optional<std::string> both_readings(std::string_view cell) {
  const auto point = read_written_number(trimmed(cell), {.decimal = '.'});
  const auto comma = read_written_number(trimmed(cell), {.decimal = ','});
  if (!point || !comma || point->value == comma->value) return std::nullopt;
  return fmt::format("--decimal . reads {}, --decimal , reads {}", number_text(point->value),
                     number_text(comma->value));
}

std::string how_to_read_otherwise(std::string_view column) {
  return fmt::format(
      "Fix the cell, read on without it (--on-error missing or skip), or train with the column as "
      "categories: --categorical {}.",
      column);
}

bool is_missing_value(std::string_view level) {
  return is_missing_text(level) || is_missing_among_values(level);
}

LevelReader number_reader(const NumberStyle& style) {
  return [style](std::string_view level) -> std::optional<double> {
    if (is_missing_value(level)) return kMissing;
    if (equals_ignoring_case(level, "true")) return 1.0;
    if (equals_ignoring_case(level, "false")) return 0.0;
    const std::optional<WrittenNumber> number = read_written_number(level, style);
    if (!number) return std::nullopt;
    const bool unclear = !style.is_settled && number->thousands == ',' && both_readings(level);
    return unclear ? std::nullopt : std::optional(number->value);
  };
}

LevelReader date_reader(const std::string& order) {
  return [order](std::string_view level) {
    return is_missing_value(level) ? std::optional(kMissing) : parse_date(level, order);
  };
}

/// The order of the levels that are dates at all; year first if there is none.
std::string find_order_of_dates(const std::vector<std::string>& levels) {
  std::vector<std::string> dates;
  for (const std::string& level : levels) {
    for (const char* order : {"ymd", "dmy", "mdy"}) {
      if (!parse_date(trimmed(level), order)) continue;
      dates.push_back(level);
      break;
    }
  }
  const std::string found = find_date_order(dates);
  return found.empty() ? "ymd" : found;
}

}  // namespace

void turn_into_values(Column& column, const std::function<double(std::size_t)>& value_of) {
  std::vector<double> values_of_levels;
  values_of_levels.reserve(column.levels.size());
  for (std::size_t level = 0; level < column.levels.size(); ++level) {
    values_of_levels.push_back(value_of(level));
  }
  std::vector<double> values;
  values.reserve(column.codes.size());
  for (const std::int32_t code : std::as_const(column.codes)) {
    values.push_back(code < 0 ? kMissing : values_of_levels[static_cast<std::size_t>(code)]);
  }
  column.values = std::move(values);
  column.codes.clear();
  column.levels.clear();
}

std::optional<std::size_t> turn_into_dates(Column& column, const std::string& order) {
  const std::string found = order.empty() ? find_order_of_dates(column.levels) : order;
  const auto bad_row = read_all_levels(column, date_reader(found));
  if (bad_row) return bad_row;
  column.kind = ColumnKind::datetime;
  column.date_order = found;
  return std::nullopt;
}

std::optional<std::size_t> turn_into_numbers(Column& column, const NumberStyle& style) {
  const auto bad_row = read_all_levels(column, number_reader(style));
  if (!bad_row) column.kind = ColumnKind::numeric;
  return bad_row;
}

std::vector<std::size_t> read_dates_leniently(Column& column, const std::string& order) {
  const std::string found = order.empty() ? find_order_of_dates(column.levels) : order;
  std::vector<std::size_t> bad_rows;
  read_all_levels(column, date_reader(found), &bad_rows);
  column.kind = ColumnKind::datetime;
  column.date_order = found;
  return bad_rows;
}

std::vector<std::size_t> read_numbers_leniently(Column& column, const NumberStyle& style) {
  std::vector<std::size_t> bad_rows;
  read_all_levels(column, number_reader(style), &bad_rows);
  column.kind = ColumnKind::numeric;
  return bad_rows;
}

std::string quoted_for_message(std::string_view cell) {
  std::string text(cell.substr(0, kLongestCellInMessages));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return fmt::format("'{}{}'", text, cell.size() > kLongestCellInMessages ? "…" : "");
}

std::string not_a_number(std::string_view column, std::string_view cell, const NumberStyle& style) {
  const auto readings = style.is_settled ? std::nullopt : both_readings(cell);
  if (readings) {
    return fmt::format("column '{}': nothing tells how to read {}: {}.", column,
                       quoted_for_message(cell), *readings);
  }
  return fmt::format("column '{}': {} is not a number. {}", column, quoted_for_message(cell),
                     how_to_read_otherwise(column));
}

std::string not_a_date(std::string_view column, std::string_view cell, std::string_view order) {
  return fmt::format("column '{}': {} is not a date{}. {}", column, quoted_for_message(cell),
                     order.empty() ? "" : fmt::format(" written {}", order),
                     how_to_read_otherwise(column));
}

}  // namespace softwood
