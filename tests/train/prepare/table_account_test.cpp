#include "train/prepare/table_account.h"

#include <cmath>

#include <gtest/gtest.h>

namespace softwood {
namespace {

TEST(TableAccount, says_rows_kinds_missing_cells_and_what_is_left_out_and_why) {
  const double none = std::nan("");
  const Table table(
      {{.name = "a", .values = {1, none, 3}},
       {.name = "b", .kind = ColumnKind::categorical, .codes = {0, -1, 0}, .levels = {"x"}},
       {.name = "d", .kind = ColumnKind::datetime, .values = {0, 1, 2}},
       {.name = "e", .values = {1, 2, 3}}});
  EXPECT_EQ(table_account(table, {.constant = {"b"}, .like_ids = {"name"}}, {"e"}),
            "3 rows, 4 columns: 2 numbers, 1 category, 1 date; 2 cells (16.7 %) missing; left out: "
            "b (one value only), name (hardly two rows alike, as ids are), e (as asked)");
}

TEST(TableAccount, nothing_is_said_of_nothing) {
  const Table table({{.name = "a", .values = {1}}});
  EXPECT_EQ(table_account(table, {}, {}), "1 row, 1 column: 1 number; no cell missing");
}

TEST(TableAccount, large_counts_have_commas_and_small_shares_are_not_zero) {
  EXPECT_EQ(with_thousands(7), "7");
  EXPECT_EQ(with_thousands(20190), "20,190");
  EXPECT_EQ(with_thousands(1234567), "1,234,567");
  Column column{.name = "a"};
  column.values.assign(10000, 1.0);
  column.values[7] = std::nan("");
  EXPECT_EQ(table_account(Table({column}), {}, {}),
            "10,000 rows, 1 column: 1 number; 1 cell (less than 0.1 %) missing");
}

}  // namespace
}  // namespace softwood
