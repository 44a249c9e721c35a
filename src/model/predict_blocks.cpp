#include "model/predict_blocks.h"

#include <algorithm>

#include "task/responses.h"

namespace softwood {
namespace {

/// `total`: as many cells as there will be.
template <class T>
void append_cells(const Cells<T>& more, std::size_t total, Cells<T>& cells) {
  const std::size_t before = cells.size();
  cells.reserve(total);
  cells.resize(before + more.size());
  std::ranges::copy(more, cells.begin() + before);
}

/// The rows of another block, whose columns are the same.
void append_rows(std::vector<Column> more, std::size_t total, std::vector<Column>& columns) {
  if (columns.empty()) {
    columns = std::move(more);
    return;
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].kind == ColumnKind::categorical) {
      append_cells(more[i].codes, total, columns[i].codes);
    } else {
      append_cells(more[i].values, total, columns[i].values);
    }
  }
}

}  // namespace

Predictions predict_blocks(const ModelParts& parts, const Table& table, ColumnsFor purpose,
                           ThreadTeam& team, const PredictRows& predict) {
  const OutputBlocks blocks(parts, table, team);
  std::vector<LossColumns> data;  // per task
  for (const Task& task : parts.tasks) {
    data.push_back(purpose == ColumnsFor::distributions ? read_distribution_columns(task, table)
                                                        : read_prediction_columns(task, table));
  }
  std::vector<Column> columns;
  blocks.visit([&](const OutputBlock& block) {
    std::vector<Column> found;
    for (const Task& task : parts.tasks) {
      const LossData rows = data[task.index_in_model].view().slice(block.first, block.num_rows);
      for (Column& column : predict(task, rows, block)) found.push_back(std::move(column));
    }
    append_rows(std::move(found), table.num_rows(), columns);
  });
  return Predictions(std::move(columns));
}

}  // namespace softwood
