#include "data/table/table_rows.h"

#include <cassert>

#include "base/thread_team.h"
#include "data/table/column_groups.h"
#include "data/table/threads_for_cells.h"

namespace softwood {
namespace {

template <class T>
Cells<T> view_cells(const Cells<T>& cells, std::size_t first, std::size_t count,
                    const std::shared_ptr<const void>& keeper) {
  if (cells.empty()) return {};  // the column is of the other kind
  if (cells.is_borrowed() && count == cells.size()) return cells;
  return Cells<T>::borrow(std::span<const T>(cells).subspan(first, count), keeper);
}

template <class T>
Cells<T> select_cells(const Cells<T>& cells, std::span<const std::int64_t> rows) {
  if (cells.empty()) return {};
  std::vector<T> selected;
  selected.reserve(rows.size());
  const T* all = cells.data();
  for (const std::int64_t row : rows) {
    assert(row >= 0 && static_cast<std::size_t>(row) < cells.size());
    selected.push_back(all[static_cast<std::size_t>(row)]);
  }
  return selected;
}

Column select_column(const Column& column, std::span<const std::int64_t> rows) {
  return {.name = column.name,
          .kind = column.kind,
          .values = select_cells(column.values, rows),
          .codes = select_cells(column.codes, rows),
          .levels = column.levels,
          .date_order = column.date_order,
          .undeclared = column.undeclared};
}

}  // namespace

Column view_rows(const Column& column, std::size_t first, std::size_t count,
                 const std::shared_ptr<const void>& keeper) {
  assert(first + count <= column.size());
  return {.name = column.name,
          .kind = column.kind,
          .values = view_cells(column.values, first, count, keeper),
          .codes = view_cells(column.codes, first, count, keeper),
          .levels = column.levels,
          .date_order = column.date_order,
          .undeclared = column.undeclared};
}

Table select_rows(const Table& table, std::span<const std::int64_t> rows) {
  const std::vector<Column>& columns = table.columns();
  std::vector<Column> selected(columns.size());
  ThreadTeam team(threads_for_cells(columns.size() * rows.size()));
  std::vector<const Column*> all;
  for (const Column& column : columns) all.push_back(&column);
  std::size_t first = 0;
  for (const ColumnGroup& group : group_columns(all)) {
    load_columns(group);
    team.for_each(group.size(), [&](std::size_t place) {
      selected[first + place] = select_column(*group[place], rows);
    });
    release_columns(group);
    first += group.size();
  }
  Table result(std::move(selected));
  result.origin = table.origin;
  return result;
}

}  // namespace softwood
