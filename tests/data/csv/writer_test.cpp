#include "data/csv/writer.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace softwood {
namespace {

Table read_back(const Table& table) {
  const std::string path = testing::TempDir() + "csv_writer_test.csv";
  std::ofstream(path, std::ios::binary) << to_csv(table);
  Table read = read_table(path);
  std::filesystem::remove(path);
  return read;
}

TEST(CsvWriter, what_is_written_is_read) {
  Column number{.name = "a number, with a comma", .values = {1.0 / 3, std::nan(""), -1e300}};
  Column text{.name = "trailing ",
              .kind = ColumnKind::categorical,
              .codes = {0, 1, 2},
              .levels = {"say \"hi\"", " leading", "two\nlines"}};
  const Table table({number, text});
  const Table read = read_back(table);
  ASSERT_EQ(read.names(), table.names());
  for (std::size_t column = 0; column < 2; ++column) {
    for (std::size_t row = 0; row < 3; ++row) {
      EXPECT_EQ(read.columns()[column].text(row), table.columns()[column].text(row));
    }
  }
}

TEST(CsvWriter, a_single_column_keeps_its_missing_cells) {
  const Table table({Column{.name = "x", .values = {1, std::nan(""), std::nan("")}}});
  EXPECT_EQ(read_back(table).num_rows(), 3u);
}

TEST(CsvWriter, pieces_of_several_threads_are_the_whole) {
  std::vector<double> numbers;
  Column text{.name = "text", .kind = ColumnKind::categorical, .levels = {"a", "b,c"}};
  for (int row = 0; row < 20'000; ++row) {
    numbers.push_back(row % 7 == 0 ? NAN : row / 7.0);
    text.codes.push_back(row % 3 - 1);
  }
  const Table table({{.name = "number", .values = numbers}, text});
  ThreadTeam team(3);
  std::string joined;
  std::size_t filled = 0;
  for (const std::string& piece : to_csv_pieces(table, true, team)) {
    joined += piece;
    filled += piece.empty() ? 0 : 1;
  }
  EXPECT_GT(filled, 3u);
  EXPECT_EQ(joined, to_csv(table));
  EXPECT_EQ(joined.substr(0, 19), "number,text\n,\n0.142");
  EXPECT_EQ(std::count(joined.begin(), joined.end(), '\n'), 20'001);
}

}  // namespace
}  // namespace softwood
