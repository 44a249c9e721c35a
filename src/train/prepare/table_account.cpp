#include "train/prepare/table_account.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace softwood {
namespace {

constexpr std::size_t kNamesShown = 8;

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", with_thousands(count), count == 1 ? one : many);
}

std::string kinds_of(const Table& table) {
  const auto count = [&](ColumnKind kind) {
    const std::vector<Column>& columns = table.columns();
    return static_cast<std::size_t>(std::count_if(
        columns.begin(), columns.end(), [&](const Column& column) { return column.kind == kind; }));
  };
  std::vector<std::string> kinds;
  const auto add = [&](ColumnKind kind, const char* one, const char* many) {
    if (count(kind) > 0) kinds.push_back(counted(count(kind), one, many));
  };
  add(ColumnKind::numeric, "number", "numbers");
  add(ColumnKind::categorical, "category", "categories");
  add(ColumnKind::datetime, "date", "dates");
  return fmt::format("{}", fmt::join(kinds, ", "));
}

std::string missing_in(const Table& table) {
  std::size_t missing = 0;
  for (const Column& column : table.columns()) missing += column.count_missing();
  if (missing == 0) return "no cell missing";
  const double percent = 100.0 * static_cast<double>(missing) /
                         static_cast<double>(table.num_rows() * table.columns().size());
  return fmt::format("{} ({}) missing", counted(missing, "cell", "cells"),
                     percent < 0.05 ? "less than 0.1 %" : fmt::format("{:.1f} %", percent));
}

void add_reason(std::vector<std::string>& parts, const std::vector<std::string>& names,
                const char* why) {
  if (names.empty()) return;
  const std::size_t shown = std::min(names.size(), kNamesShown);
  parts.push_back(fmt::format(
      "{}{} ({})",
      fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
      names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "", why));
}

}  // namespace

std::string with_thousands(std::size_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string table_account(const Table& table, const LeftOut& left_out,
                          const std::vector<std::string>& dropped) {
  std::vector<std::string> reasons;
  add_reason(reasons, left_out.constant, "one value only");
  add_reason(reasons, left_out.like_ids, "hardly two rows alike, as ids are");
  add_reason(reasons, dropped, "as asked");
  return fmt::format("{}, {}: {}; {}{}{}", counted(table.num_rows(), "row", "rows"),
                     counted(table.columns().size(), "column", "columns"), kinds_of(table),
                     missing_in(table),
                     reasons.empty() ? "" : "; left out: ", fmt::join(reasons, ", "));
}

}  // namespace softwood
