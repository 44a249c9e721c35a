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

/// The columns that a prediction (`with_cdf`: or the cdf) reads besides the features; the others
/// stay empty.
Responses read_prediction_columns(const Task& task, const Table& table, bool with_cdf = false);

}  // namespace softwood
