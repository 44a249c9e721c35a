#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/thread_team.h"
#include "model/model_parts.h"

namespace softwood {

/// A task's named predictions for some rows: [sum of sizes × rows], in the order of
/// LossProgram::predictions().
struct TaskPredictions {
  std::size_t num_rows = 0;
  std::vector<double> values;

  /// One row per component of the prediction called `name`; empty if the loss has none.
  MatrixView<const double> find(const LossProgram& program, std::string_view name) const;
};

/// A task's raw outputs f [its outputs × rows] of every member; borrowed.
using TaskOutputs = std::vector<std::span<const double>>;

/// What the members add to an output where the trees add nothing, on average.
double mean_offset(const ModelParts& parts, std::size_t output);

/// The members' average, on the scale of the predictions. `data` needs only the columns that
/// predictions read.
TaskPredictions predict_task(const Task& task, const LossData& data, const TaskOutputs& outputs,
                             std::size_t num_rows);

/// Each row by the member of its fold alone; by the average where the fold is −1.
TaskPredictions predict_out_of_fold(const Task& task, const LossData& data,
                                    const TaskOutputs& outputs,
                                    std::span<const std::int32_t> folds);

/// A number of each row that users see: a row of TaskPredictions::values, or 1 minus it.
struct PredictedNumber {
  std::string name;
  std::size_t row = 0;
  bool is_complement = false;
};
/// All of a task's, in order: `probability_LABEL` for classifiers, the loss's names otherwise.
std::vector<PredictedNumber> predicted_numbers(const Task& task, const std::string& prefix);

/// As users see them: `class` and `probability_LABEL` for classifiers, the loss's names otherwise.
std::vector<Column> prediction_columns(const Task& task, const TaskPredictions& predictions,
                                       const std::string& prefix);

/// Names of the columns that a person would ask for first: `class`, or all components of the first
/// prediction of the loss.
std::vector<std::string> first_prediction_names(const Task& task);

/// [classes × rows] for a classifier, also for one that predicts only the second class.
std::vector<double> class_probabilities(const Task& task, const TaskPredictions& predictions);

}  // namespace softwood
