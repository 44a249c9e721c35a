#include "data/table/row_blocks.h"

#include <cstdio>
#include <fstream>

#include <gtest/gtest.h>

#include "data/reading.h"

namespace softwood {
namespace {

const char* const kText =
    "id,x,when,y\na,1,2020-01-01,0.5\nb,,2020-01-02,1\na,3,,2\nNA,4,2020-01-04,3\nc,5,2020-01-05,"
    "4\n";

/// The cells of `names` in a table.
std::vector<std::string> cells_of(const Table& table, const std::vector<std::string>& names) {
  std::vector<std::string> cells;
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    for (const std::string& name : names) cells.push_back(table.column(name).text(row));
  }
  return cells;
}

void expect_blocks_are_the_table(const Table& table) {
  const std::vector<std::string> names = {"y", "id", "when", "x"};
  for (std::size_t size = 1; size <= 6; ++size) {
    std::vector<std::string> cells;
    for (std::size_t first = 0; first < table.num_rows(); first += size) {
      const std::size_t count = std::min(size, table.num_rows() - first);
      const Table block = copy_rows(table, names, first, count);
      EXPECT_EQ(block.names(), names);
      EXPECT_EQ(block.num_rows(), count);
      for (const std::string& cell : cells_of(block, names)) cells.push_back(cell);
    }
    EXPECT_EQ(cells, cells_of(table, names)) << size;
  }
}

TEST(CopyRows, blocks_of_any_size_are_the_table) {
  expect_blocks_are_the_table(read_csv_text(kText));
}

TEST(CopyRows, deferred_columns_are_read_row_by_row_too) {
  const std::string path = testing::TempDir() + "row_blocks.csv";
  std::ofstream(path) << kText;
  expect_blocks_are_the_table(read_csv_deferred(FileBytes::map(path, 0), {}, 10));
  std::remove(path.c_str());
}

TEST(CopyRows, only_levels_that_the_rows_have_are_copied) {
  const Table block = copy_rows(read_csv_text(kText), std::vector<std::string>{"id"}, 1, 2);
  EXPECT_EQ(block.column("id").levels, (std::vector<std::string>{"b", "a"}));
}

TEST(CopyRows, rows_keep_the_numbers_that_messages_call_them_by) {
  const std::vector<std::string> names = {"x"};
  Table table = read_csv_text(kText);
  EXPECT_EQ(table.row_number(4), 5);
  EXPECT_EQ(copy_rows(table, names, 3, 2).row_number(1), 5);
  EXPECT_EQ(copy_rows(copy_rows(table, names, 2, 3), names, 1, 2).row_number(0), 4);
  table.left_out = {0, 2, 3, 7};  // so its rows are 1, 4, 5, 6, 8 of the file
  std::vector<std::size_t> numbers;
  for (std::size_t row = 0; row < 5; ++row) {
    numbers.push_back(table.row_number(row));
    EXPECT_EQ(copy_rows(table, names, row, 1).row_number(0), numbers.back());
  }
  EXPECT_EQ(numbers, (std::vector<std::size_t>{2, 5, 6, 7, 9}));
}

}  // namespace
}  // namespace softwood
