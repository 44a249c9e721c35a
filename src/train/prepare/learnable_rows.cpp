#include "train/prepare/learnable_rows.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace softwood {
namespace {

using RowNumbers = std::vector<std::uint32_t>;

RowNumbers rows_that_count(const std::vector<Responses>& responses, std::size_t num_rows,
                           const std::vector<double>& weights) {
  RowNumbers rows;
  for (std::size_t row = 0; row < num_rows; ++row) {
    if (!weights.empty() && weights[row] == 0) continue;
    const bool any = std::any_of(responses.begin(), responses.end(),
                                 [&](const Responses& task) { return !std::isnan(task.y[row]); });
    if (any) rows.push_back(static_cast<std::uint32_t>(row));
  }
  return rows;
}

/// Each row as often as it weighs; empty if a weight is no whole number, or they are too many.
RowNumbers repeated(const RowNumbers& rows, const std::vector<double>& weights) {
  RowNumbers repeats;
  for (const std::uint32_t row : rows) {
    const double weight = weights[row];
    const auto room = static_cast<double>(kSmallTable - repeats.size());
    if (weight != std::floor(weight) || weight > room) return {};
    repeats.insert(repeats.end(), static_cast<std::size_t>(weight), row);
  }
  return repeats;
}

/// −1, 0 or 1; missing cells come last.
int compare(const Column& column, std::uint32_t a, std::uint32_t b) {
  if (column.is_missing(a) || column.is_missing(b))
    return static_cast<int>(column.is_missing(a)) - static_cast<int>(column.is_missing(b));
  if (column.kind == ColumnKind::categorical) return column.text(a).compare(column.text(b));
  return static_cast<int>(column.values[a] > column.values[b]) -
         static_cast<int>(column.values[a] < column.values[b]);
}

void sort_by_cells(const Table& table, const std::string& weight_column, RowNumbers& rows) {
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (const Column& column : table.columns()) {
      if (column.name == weight_column) continue;
      const int order = compare(column, a, b);
      if (order != 0) return order < 0;
    }
    return false;
  });
}

}  // namespace

std::vector<std::uint32_t> learnable_rows(const std::vector<Responses>& responses,
                                          const Table& table, const std::string& weight_column,
                                          std::vector<double>& weights, const NoteSink& note) {
  RowNumbers rows = rows_that_count(responses, table.num_rows(), weights);
  if (rows.size() < table.num_rows()) {
    note(fmt::format("{} of {} rows of {} have no response{} and are left out",
                     table.num_rows() - rows.size(), table.num_rows(), table.origin,
                     weights.empty() ? "" : " or weigh nothing"));
  }
  if (rows.size() > kSmallTable) return rows;
  if (!weights.empty()) {
    RowNumbers repeats = repeated(rows, weights);
    if (!repeats.empty()) {
      rows = std::move(repeats);
      weights.clear();
    }
  }
  sort_by_cells(table, weight_column, rows);
  return rows;
}

}  // namespace softwood
