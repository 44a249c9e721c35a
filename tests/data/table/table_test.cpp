#include "softwood/table.h"

#include <cmath>

#include <gtest/gtest.h>

#include "data/reading.h"

namespace softwood {
namespace {

Column numbers(std::string name, std::vector<double> values) {
  Column column;
  column.name = std::move(name);
  column.values = std::move(values);
  return column;
}

TEST(Table, columns_are_found_by_name) {
  const Table table({numbers("a", {1, 2}), numbers("b", {3, 4})});
  EXPECT_EQ(table.num_rows(), 2u);
  EXPECT_EQ(table.find("b"), &table.columns()[1]);
  EXPECT_EQ(table.find("c"), nullptr);
  EXPECT_THAT(table.names(), testing::ElementsAre("a", "b"));
}

TEST(Table, copies_and_moves_find_their_own_columns) {
  Table table({numbers("a", {1})});
  const Table copy = table;
  EXPECT_EQ(&copy.column("a"), &copy.columns()[0]);
  const Table moved = std::move(table);
  EXPECT_EQ(&moved.column("a"), &moved.columns()[0]);
}

TEST(Table, an_unknown_column_suggests_the_nearest_or_lists_what_there_is) {
  Table table({numbers("age", {1}), numbers("income", {3})});
  table.origin = "visits.csv";
  EXPECT_EQ(error_of([&] { table.column("agee"); }),
            "no column 'agee' in visits.csv. Did you mean 'age'?");
  EXPECT_EQ(error_of([&] { table.column("zipcode"); }),
            "no column 'zipcode' in visits.csv. It has the columns age, income.");
}

TEST(Table, repeated_names_and_uneven_lengths_are_errors) {
  EXPECT_THAT(error_of([] {
                Table({numbers("a", {1}), numbers("a", {2})});
              }),
              testing::HasSubstr("columns 1 and 2 are both called 'a'"));
  EXPECT_THAT(error_of([] {
                Table({numbers("a", {1}), numbers("b", {})});
              }),
              testing::HasSubstr("column 'b' has 0 rows, but 'a' has 1"));
}

TEST(Table, a_table_without_columns_has_no_rows) {
  EXPECT_EQ(Table().num_rows(), 0u);
}

TEST(Column, cells_have_texts_and_missing_ones_have_none) {
  Column levels;
  levels.kind = ColumnKind::categorical;
  levels.levels = {"red", "blue"};
  levels.codes = {1, -1, 0};
  EXPECT_THAT(texts_of(levels), testing::ElementsAre("blue", "", "red"));
  EXPECT_TRUE(levels.is_missing(1));

  Column dates = numbers("d", {0, std::nan("")});
  dates.kind = ColumnKind::datetime;
  EXPECT_THAT(texts_of(dates), testing::ElementsAre("1970-01-01", ""));
  EXPECT_THAT(texts_of(numbers("n", {1, 0.1, std::nan("")})), testing::ElementsAre("1", "0.1", ""));
}

}  // namespace
}  // namespace softwood
