#include "data/table/column_groups.h"

#include <algorithm>
#include <map>

#include "data/csv/deferred_numbers.h"

namespace softwood {
namespace {

/// So many deferred columns a group may have.
std::size_t most_in_group(std::span<const Column* const> columns) {
  if (columns.empty() || columns.front()->size() == 0) return 1;
  const std::size_t num_rows = columns.front()->size();
  const std::size_t share = sizeof(float) * num_rows * columns.size() / 4;
  return std::max<std::size_t>(1, std::max(share, kSmallGroupBytes) / (sizeof(double) * num_rows));
}

}  // namespace

std::vector<ColumnGroup> group_columns(std::span<const Column* const> columns) {
  const std::size_t most = most_in_group(columns);
  std::vector<ColumnGroup> groups(columns.empty() ? 0 : 1);
  std::size_t num_deferred = 0;
  for (const Column* column : columns) {
    if (column->values.is_deferred() && num_deferred++ == most) {
      groups.emplace_back();
      num_deferred = 1;
    }
    groups.back().push_back(column);
  }
  return groups;
}

void load_columns(std::span<const Column* const> columns) {
  std::map<DeferredNumbers*, std::vector<DeferredColumn*>> files;
  for (const Column* column : columns) {
    auto* deferred = dynamic_cast<DeferredColumn*>(column->values.source());
    if (deferred != nullptr) files[&deferred->file()].push_back(deferred);
  }
  for (const auto& [file, deferred] : files) file->load(deferred);
}

void release_columns(std::span<const Column* const> columns) {
  for (const Column* column : columns) column->values.release();
}

}  // namespace softwood
