#include "data/table/row_blocks.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <unordered_map>

#include "data/csv/deferred_numbers.h"

namespace softwood {
namespace {

/// With the levels that these rows have, and no others: a column of ids may have millions.
void copy_levels(const Column& column, std::size_t first, std::size_t count, Column& block) {
  std::unordered_map<std::int32_t, std::int32_t> places;
  std::vector<std::int32_t> codes;
  codes.reserve(count);
  for (std::size_t row = first; row < first + count; ++row) {
    const std::int32_t code = column.codes[row];
    if (code < 0) {
      codes.push_back(-1);
      continue;
    }
    const auto [place, is_new] =
        places.try_emplace(code, static_cast<std::int32_t>(block.levels.size()));
    if (is_new) block.levels.push_back(column.levels[static_cast<std::size_t>(code)]);
    codes.push_back(place->second);
  }
  block.codes = std::move(codes);
}

Column copy_column(const Column& column, std::size_t first, std::size_t count) {
  Column block{.name = column.name,
               .kind = column.kind,
               .date_order = column.date_order,
               .undeclared = column.undeclared};
  if (column.kind == ColumnKind::categorical) {
    copy_levels(column, first, count, block);
  } else if (!column.values.is_deferred()) {
    const double* values = column.values.data() + first;
    block.values.assign(values, values + count);
  }
  return block;
}

}  // namespace

Table copy_rows(const Table& table, std::span<const std::string> names, std::size_t first,
                std::size_t count) {
  assert(first + count <= table.num_rows());
  std::vector<Column> blocks;
  std::map<DeferredNumbers*, std::vector<std::size_t>> files;  // places in `blocks`
  for (const std::string& name : names) {
    const Column& column = table.column(name);
    if (auto* deferred = dynamic_cast<DeferredColumn*>(column.values.source())) {
      files[&deferred->file()].push_back(blocks.size());
    }
    blocks.push_back(copy_column(column, first, count));
  }
  for (const auto& [file, places] : files) {
    std::vector<DeferredColumn*> columns;
    for (const std::size_t place : places) {
      columns.push_back(dynamic_cast<DeferredColumn*>(table.column(names[place]).values.source()));
    }
    std::vector<std::vector<double>> values = file->read_rows(columns, first, count);
    for (std::size_t index = 0; index < places.size(); ++index) {
      blocks[places[index]].values = std::move(values[index]);
    }
  }
  Table block(std::move(blocks));
  block.origin = table.origin;
  block.first_row = table.first_row + first;
  block.left_out = table.left_out;
  return block;
}

}  // namespace softwood
