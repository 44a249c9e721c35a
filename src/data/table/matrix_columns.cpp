#include "data/table/matrix_columns.h"

#include <algorithm>

#include "base/thread_team.h"
#include "data/table/threads_for_cells.h"

namespace softwood {
namespace {

/// 16 columns of 256 rows are 32 kB, read by whole cache lines and written by whole ones.
constexpr std::size_t kBlockRows = 256, kBlockColumns = 16;

void copy_block(MatrixView<const double> matrix, std::size_t first_row, std::size_t first_column,
                std::vector<std::vector<double>>& columns) {
  const std::size_t end_row = std::min(first_row + kBlockRows, matrix.rows);
  const std::size_t end_column = std::min(first_column + kBlockColumns, matrix.cols);
  for (std::size_t column = first_column; column < end_column; ++column) {
    double* out = columns[column].data();
    for (std::size_t row = first_row; row < end_row; ++row) out[row] = matrix(row, column);
  }
}

}  // namespace

std::vector<std::vector<double>> columns_of_matrix(MatrixView<const double> matrix) {
  std::vector<std::vector<double>> columns(matrix.cols);
  ThreadTeam team(threads_for_cells(matrix.rows * matrix.cols));
  team.for_each(matrix.cols, [&](std::size_t column) { columns[column].resize(matrix.rows); });
  const std::size_t num_blocks = (matrix.rows + kBlockRows - 1) / kBlockRows;
  team.for_each(num_blocks, [&](std::size_t block) {
    for (std::size_t column = 0; column < matrix.cols; column += kBlockColumns) {
      copy_block(matrix, block * kBlockRows, column, columns);
    }
  });
  return columns;
}

}  // namespace softwood
