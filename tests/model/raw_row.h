#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "softwood/row_predictor.h"

namespace softwood {

/// A row of a table as the numbers that a RowPredictor takes.
inline std::vector<double> raw_row(const RowPredictor& predictor, const Table& table,
                                   std::size_t row) {
  std::vector<double> cells;
  for (const RowPredictor::Input& input : predictor.inputs()) {
    const Column& column = table.column(input.name);
    const bool has_level = column.kind == ColumnKind::categorical && !column.is_missing(row);
    cells.push_back(has_level ? predictor.level(input.name, column.text(row))
                    : column.kind == ColumnKind::categorical ? NAN
                                                             : column.values[row]);
  }
  return cells;
}

/// How many rows of the table have other bits than Model::predict gives them.
inline std::size_t rows_unlike_the_table(const Model& model, const Table& table) {
  RowPredictor predictor(model);
  const Predictions expected = model.predict(table, 1);
  std::size_t unlike = 0;
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    const std::span<const double> found = predictor.predict(raw_row(predictor, table, row));
    bool is_like = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double value = expected[predictor.predictions()[i]][row];
      is_like =
          is_like && std::bit_cast<std::uint64_t>(found[i]) == std::bit_cast<std::uint64_t>(value);
    }
    unlike += is_like ? 0 : 1;
  }
  return unlike;
}

}  // namespace softwood
