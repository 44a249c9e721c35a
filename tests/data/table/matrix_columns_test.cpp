#include "data/table/matrix_columns.h"

#include <numeric>

#include <gtest/gtest.h>

namespace softwood {
namespace {

TEST(MatrixColumns, every_cell_finds_its_place_whatever_the_size) {
  for (const std::size_t num_rows : {0, 1, 255, 256, 257, 20000}) {
    for (const std::size_t num_columns : {0, 1, 15, 16, 17}) {
      std::vector<double> cells(num_rows * num_columns);
      std::iota(cells.begin(), cells.end(), 0.0);
      const auto columns = columns_of_matrix({cells.data(), num_rows, num_columns});
      ASSERT_EQ(columns.size(), num_columns);
      std::size_t num_right = 0;
      for (std::size_t column = 0; column < num_columns; ++column) {
        ASSERT_EQ(columns[column].size(), num_rows);
        for (std::size_t row = 0; row < num_rows; ++row) {
          num_right += columns[column][row] == static_cast<double>(row * num_columns + column);
        }
      }
      EXPECT_EQ(num_right, cells.size()) << num_rows << " rows, " << num_columns << " columns";
    }
  }
}

TEST(MatrixColumns, rows_may_be_further_apart_than_they_are_long) {
  const std::vector<double> cells = {1, 2, 9, 3, 4, 9};
  const auto columns = columns_of_matrix({cells.data(), 2, 2, 3});
  EXPECT_EQ(columns, (std::vector<std::vector<double>>{{1, 3}, {2, 4}}));
}

}  // namespace
}  // namespace softwood
