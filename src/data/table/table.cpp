#include "softwood/table.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.h"
#include "base/printable.h"
#include "data/text/cell_text.h"
#include "data/text/date_text.h"
#include "softwood/error.h"

namespace softwood {
namespace {

constexpr std::size_t kNamesInMessages = 12;
constexpr std::size_t kLongestName = 80;  // a header may be one quote that never closes

/// " It has the columns a, b, c, …." for a name that is near none of them.
std::string listed(std::vector<std::string> names) {
  if (names.empty()) return " It has no columns.";
  const bool cut = names.size() > kNamesInMessages;
  if (cut) names.resize(kNamesInMessages);
  for (std::string& name : names) name = shortened(name, kLongestName);
  return fmt::format(" It has the columns {}{}.", fmt::join(names, ", "), cut ? ", …" : "");
}

}  // namespace

bool Column::is_missing(std::size_t row) const {
  assert(row < size());
  return kind == ColumnKind::categorical ? codes[row] < 0 : std::isnan(values[row]);
}

std::size_t Column::count_missing() const {
  if (kind == ColumnKind::categorical) {
    return static_cast<std::size_t>(
        std::count_if(codes.begin(), codes.end(), [](std::int32_t code) { return code < 0; }));
  }
  if (values.is_deferred()) return values.source()->num_missing();
  return static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [](double value) { return std::isnan(value); }));
}

std::string Column::text(std::size_t row) const {
  if (is_missing(row)) return "";
  if (kind == ColumnKind::categorical) return levels[static_cast<std::size_t>(codes[row])];
  return kind == ColumnKind::numeric ? number_text(values[row]) : date_text(values[row]);
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    const auto [same, is_new] = places_.emplace(columns_[column].name, column);
    if (!is_new) {
      throw Error(fmt::format("columns {} and {} are both called '{}'. Rename one of them.",
                              same->second + 1, column + 1, columns_[column].name));
    }
    if (columns_[column].size() != num_rows()) {
      throw Error(fmt::format("column '{}' has {} rows, but '{}' has {}. All need the same number.",
                              columns_[column].name, columns_[column].size(), columns_[0].name,
                              num_rows()));
    }
  }
}

std::vector<std::string> Table::names() const {
  std::vector<std::string> result;
  result.reserve(columns_.size());
  for (const Column& column : columns_) result.push_back(column.name);
  return result;
}

const Column* Table::find(std::string_view name) const {
  const auto place = places_.find(name);
  return place == places_.end() ? nullptr : &columns_[place->second];
}

const Column& Table::column(std::string_view name) const {
  if (const Column* found = find(name)) return *found;
  const std::vector<std::string> all = names();
  const std::string hint = did_you_mean(name, all);
  throw Error(
      fmt::format("no column '{}' in {}.{}", name, origin, hint.empty() ? listed(all) : hint));
}

std::size_t Table::row_number(std::size_t row) const {
  row += first_row;
  for (const std::size_t missing : left_out) {
    if (missing > row) break;
    ++row;
  }
  return row + 1;
}

}  // namespace softwood
