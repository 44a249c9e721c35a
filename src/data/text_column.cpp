#include "data/text_column.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "data/cell_text.h"
#include "data/date_text.h"
#include "data/missing_text.h"

namespace softwood {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kLongestCellInMessages = 60;

using LevelReader = std::function<std::optional<double>(std::string_view)>;

/// The first row whose level is not read, if there is one; otherwise the column has values.
std::optional<std::size_t> read_all_levels(Column& column, const LevelReader& read) {
  std::vector<std::optional<double>> values;
  values.reserve(column.levels.size());
  for (const std::string& level : column.levels) values.push_back(read(trimmed(level)));
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    const std::int32_t code = std::as_const(column.codes)[row];
    if (code >= 0 && !values[static_cast<std::size_t>(code)]) return row;
  }
  turn_into_values(column, [&](std::size_t level) { return *values[level]; });
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
  return fmt::format("Fix the cell, or train with the column as categories: --categorical {}.",
                     column);
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
  const auto is_missing = [](std::string_view text) {
    return is_missing_text(text) || is_missing_among_values(text);
  };
  std::string found = order;
  if (order.empty()) {
    std::vector<std::string> dates;
    std::copy_if(column.levels.begin(), column.levels.end(), std::back_inserter(dates),
                 [&](const std::string& level) { return !is_missing(trimmed(level)); });
    found = find_date_order(dates);
  }
  if (found.empty()) found = "ymd";
  const auto bad_row = read_all_levels(column, [&](std::string_view level) {
    return is_missing(level) ? std::optional(kMissing) : parse_date(level, found);
  });
  if (bad_row) return bad_row;
  column.kind = ColumnKind::datetime;
  column.date_order = found;
  return std::nullopt;
}

std::optional<std::size_t> turn_into_numbers(Column& column, const NumberStyle& style) {
  const auto bad_row =
      read_all_levels(column, [&](std::string_view level) -> std::optional<double> {
        if (is_missing_text(level) || is_missing_among_values(level)) return kMissing;
        if (equals_ignoring_case(level, "true")) return 1.0;
        if (equals_ignoring_case(level, "false")) return 0.0;
        const auto number = read_written_number(level, style);
        if (!number) return std::nullopt;
        const bool unclear = number->thousands == ',' && both_readings(level);
        return unclear && !style.is_settled ? std::nullopt : std::optional(number->value);
      });
  if (!bad_row) column.kind = ColumnKind::numeric;
  return bad_row;
}

std::string quoted_for_message(std::string_view cell) {
  std::string text(cell.substr(0, kLongestCellInMessages));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return fmt::format("'{}{}'", text, cell.size() > kLongestCellInMessages ? "…" : "");
}

std::string not_a_number(std::string_view column, std::string_view cell,
                         const NumberStyle& style) {
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
