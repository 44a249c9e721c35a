#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "data/encoder/encoder.h"
#include "softwood/error.h"

namespace softwood {
namespace {

Table mixed_table() {
  Column number{.name = "number"}, day{.name = "day", .kind = ColumnKind::datetime};
  Column city{.name = "city", .kind = ColumnKind::categorical, .levels = {"a", "b", "c"}};
  for (int row = 0; row < 100; ++row) {
    number.values.push_back(row % 9 == 4 ? std::nan("") : row * 0.7);
    day.values.push_back(86400.0 * row);
    city.codes.push_back(row % 4 - 1);
  }
  return Table({number, day, city});
}

Encoder fitted(const Table& table) {
  std::vector<std::uint32_t> rows(table.num_rows());
  std::iota(rows.begin(), rows.end(), 0U);
  return Encoder::fit(table, rows, {.features = {"number", "day", "city"}});
}

/// The same numbers as texts, which have to be read.
Table with_number_as_text(const Table& table) {
  std::vector<Column> columns = table.columns();
  Column text{.name = "number", .kind = ColumnKind::categorical};
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    const bool is_missing = columns[0].is_missing(row);
    text.codes.push_back(is_missing ? -1 : static_cast<std::int32_t>(text.levels.size()));
    if (!is_missing) text.levels.push_back(columns[0].text(row));
  }
  columns[0] = text;
  return Table(columns);
}

TEST(TableEncoder, pieces_are_pieces_of_the_whole) {
  const Table table = mixed_table();
  const Encoder encoder = fitted(table);
  const Rows whole = encoder.encode(table, 1);
  ThreadTeam team(2);
  for (const Table& each : {table, with_number_as_text(table)}) {
    const TableEncoder pieces(encoder, each);
    for (const auto& [first, count] :
         {std::pair<std::size_t, std::size_t>{0, 100}, {0, 1}, {37, 50}, {99, 1}, {100, 0}}) {
      const Rows piece = pieces.encode(first, count, team);
      ASSERT_EQ(piece.num_rows, count);
      ASSERT_EQ(piece.num_columns, whole.num_columns);
      for (std::size_t column = 0; column < whole.num_columns; ++column) {
        for (std::size_t row = 0; row < count; ++row)
          ASSERT_EQ(piece.view()(column, row), whole.view()(column, first + row));
      }
    }
  }
}

TEST(TableEncoder, an_infinite_cell_is_told_by_its_row_in_the_table_when_it_is_met) {
  Table table = mixed_table();
  const Encoder encoder = fitted(table);
  std::vector<Column> columns = table.columns();
  columns[0].values[60] = INFINITY;
  const Table broken(columns);
  const TableEncoder pieces(encoder, broken);
  ThreadTeam team(1);
  EXPECT_NO_THROW(pieces.encode(0, 60, team));
  try {
    pieces.encode(50, 20, team);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("61"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace softwood
