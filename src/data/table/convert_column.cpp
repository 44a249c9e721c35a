#include "data/table/convert_column.h"

#include <fmt/format.h>

#include "data/text/cell_text.h"
#include "data/text/level_index.h"
#include "data/text/text_column.h"
#include "data/text/text_tally.h"
#include "softwood/error.h"

namespace softwood {
namespace {

Column as_texts(const Column& column) {
  Column texts{.name = column.name, .kind = ColumnKind::categorical};
  LevelIndex levels;
  std::vector<std::int32_t> codes;
  codes.reserve(column.size());
  for (std::size_t row = 0; row < column.size(); ++row) {
    codes.push_back(column.is_missing(row) ? -1 : levels.add(column.text(row)));
  }
  texts.codes = std::move(codes);
  texts.levels = levels.texts();
  return texts;
}

std::optional<std::size_t> first_cell(const Column& column) {
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (!column.is_missing(row)) return row;
  }
  return std::nullopt;
}

[[noreturn]] void refuse(const Column& column, std::size_t row, const ReadAs& read_as,
                         const NumberStyle& style) {
  const bool unclear = read_as.kind == ColumnKind::numeric && !style.is_settled &&
                       reading_of(trimmed(column.text(row))) == TextReading::either;
  if (unclear) {
    throw Error(
        fmt::format("row {}, {}", row + 1, not_a_number(column.name, column.text(row), style)));
  }
  const bool date = read_as.kind == ColumnKind::datetime;
  const std::string order =
      read_as.date_order.empty() ? "" : fmt::format(" written {}", read_as.date_order);
  // Numbers in place of dates are no matter of a cell.
  const char* go_on = column.kind == ColumnKind::categorical
                          ? " read on without it (--on-error missing or skip; on_error= in Python),"
                          : "";
  throw Error(fmt::format(
      "row {}, column '{}': {} is not {}, as the column should have. Fix the cell,{} or train with "
      "the column as texts.",
      row + 1, column.name, quoted_for_message(column.text(row)),
      date ? "a date" + order : "a number", go_on));
}

}  // namespace

Column convert_column(Column column, const ReadAs& read_as, const NumberStyle& style) {
  if (column.kind == read_as.kind) return column;
  if (read_as.kind == ColumnKind::categorical) return as_texts(column);
  std::optional<std::size_t> bad_row;
  if (column.kind == ColumnKind::categorical) {
    bad_row = read_as.kind == ColumnKind::numeric ? turn_into_numbers(column, style)
                                                  : turn_into_dates(column, read_as.date_order);
  } else {
    bad_row = first_cell(column);
  }
  if (bad_row) refuse(column, *bad_row, read_as, style);
  column.kind = read_as.kind;
  if (column.kind == ColumnKind::datetime && column.date_order.empty()) {
    column.date_order = read_as.date_order;
  }
  return column;
}

}  // namespace softwood
