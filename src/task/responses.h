#pragma once

#include <vector>

#include "softwood/table.h"
#include "task/task.h"

namespace softwood {

/// The response and what else a task's loss reads, for some rows. NaN in y = missing.
struct Responses {
  std::vector<double> y;
  std::vector<std::vector<double>> columns;  ///< as LossProgram::columns()

  LossData view() const;
};

/// The cell of the response that is no number, in an Error: for losses that need numbers.
[[noreturn]] void refuse_text(const Task& task, const Table& table);

/// Throws Error for a label the task does not know, text where numbers are needed, a missing cell
/// in a column that the loss reads, or a broken `require`: with the row and the value.
Responses read_responses(const Task& task, const Table& table);

/// What predictions read besides the features, for some rows, as LossProgram::columns(); those that
/// they do not read are empty.
struct LossColumns {
  std::vector<std::vector<double>> columns;

  /// Without a response.
  LossData view() const;
};

/// The columns that a prediction reads. Throws Error for one that is absent or holds text.
LossColumns read_prediction_columns(const Task& task, const Table& table);
/// And those that the cdf reads.
LossColumns read_distribution_columns(const Task& task, const Table& table);

}  // namespace softwood
