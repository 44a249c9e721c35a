#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "loss/loss_program.h"
#include "loss/units.h"
#include "softwood/options.h"
#include "softwood/table.h"

namespace softwood {

/// One response to learn: where it stands in the table, its loss, and its share of the raw outputs.
struct Task {
  std::string target;
  ColumnKind target_kind = ColumnKind::numeric;  ///< as the training table had it
  double weight = 1;
  double stop_weight = 1;  ///< of its validation loss, when trees decide to stop
  LossProgram program;
  /// Classification: the text of class 0, 1, …; otherwise empty.
  std::vector<std::string> labels;
  Units units;
  std::size_t first_output = 0;
  std::size_t place = 0;  ///< among Examples::tasks; first_output may be counted within a group

  std::size_t num_outputs() const { return program.outputs().size(); }
  /// Its loss predicts `probability`: predictions are classes.
  bool is_classifier() const;
};

/// The response and what else a task's loss reads, for some rows. NaN in y = missing.
struct Responses {
  std::vector<double> y;
  std::vector<std::vector<double>> columns;  ///< as LossProgram::columns()

  LossData view() const;
};

/// Compiles the loss and finds the labels. `tables`: whose responses the labels are taken from.
/// Units are still to be found.
Task make_task(const TaskOptions& options, const std::vector<const Table*>& tables);

/// Throws Error for a label the task does not know, text where numbers are needed, a missing cell
/// in a column that the loss reads, or a broken `require`: with the row and the value.
Responses read_responses(const Task& task, const Table& table);

/// The columns that a prediction (`with_cdf`: or the cdf) reads besides the features; the others
/// stay empty.
Responses read_prediction_columns(const Task& task, const Table& table, bool with_cdf = false);

}  // namespace softwood
