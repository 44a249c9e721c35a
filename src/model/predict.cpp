#include "model/predict.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/evaluate/metrics.h"
#include "model/number_column.h"

namespace softwood {
namespace {

double one_minus(double probability) {
  return 1 - probability;
}

Column class_column(const Task& task, MatrixView<const double> probabilities, std::string name) {
  Column column;
  column.name = std::move(name);
  column.kind = ColumnKind::categorical;
  column.levels = task.labels;
  const std::vector<std::uint32_t> likeliest = likeliest_classes(probabilities);
  column.codes.assign(likeliest.begin(), likeliest.end());
  return column;
}

/// quantile_0.9, weight_1, mean.
std::string part_name(const LossProgram::Prediction& prediction, std::size_t part) {
  if (!prediction.labels.empty())
    return fmt::format("{}_{}", prediction.name, prediction.labels[part]);
  return prediction.size == 1 ? prediction.name : fmt::format("{}_{}", prediction.name, part);
}

/// The classes' probabilities, of which a loss of two classes may state the second alone.
void add_class_numbers(const Task& task, std::size_t row, std::size_t size,
                       const std::string& prefix, std::vector<PredictedNumber>& numbers) {
  const auto name = [&](std::size_t label) { return prefix + "probability_" + task.labels[label]; };
  const bool states_second = size == 1 && task.labels.size() == 2;
  if (states_second) numbers.push_back({name(0), row, true});
  for (std::size_t part = 0; part < size; ++part)
    numbers.push_back({name(states_second ? 1 : part), row + part});
}

}  // namespace

MatrixView<const double> TaskPredictions::find(const LossProgram& program,
                                               std::string_view name) const {
  std::size_t first = 0;
  for (const LossProgram::Prediction& prediction : program.predictions()) {
    if (prediction.name == name)
      return {values.data() + first * num_rows, prediction.size, num_rows};
    first += prediction.size;
  }
  return {};
}

namespace {

TaskPredictions predict_with(const Task& task, const LossData& data, std::span<const double> f,
                             std::size_t num_rows) {
  std::size_t size = 0;
  for (const LossProgram::Prediction& prediction : task.program.predictions())
    size += prediction.size;
  TaskPredictions predictions;
  predictions.num_rows = num_rows;
  predictions.values.resize(size * num_rows);
  task.program.predict(data, {f.data(), task.num_outputs(), num_rows},
                       {predictions.values.data(), size, num_rows});
  return predictions;
}

}  // namespace

double mean_offset(const ModelParts& parts, std::size_t output) {
  double sum = 0;
  for (const Member& member : parts.members) sum += member.offset[output];
  return sum / static_cast<double>(parts.members.size());
}

TaskPredictions predict_task(const Task& task, const LossData& data, const TaskOutputs& outputs,
                             std::size_t num_rows) {
  TaskPredictions mean = predict_with(task, data, outputs[0], num_rows);
  for (std::size_t member = 1; member < outputs.size(); ++member) {
    const TaskPredictions other = predict_with(task, data, outputs[member], num_rows);
    for (std::size_t i = 0; i < mean.values.size(); ++i) mean.values[i] += other.values[i];
  }
  if (outputs.size() > 1) {
    for (double& value : mean.values) value /= static_cast<double>(outputs.size());
  }
  return mean;
}

TaskPredictions predict_out_of_fold(const Task& task, const LossData& data,
                                    const TaskOutputs& outputs,
                                    std::span<const std::int32_t> folds) {
  const std::size_t num_rows = folds.size();
  TaskPredictions predictions = predict_task(task, data, outputs, num_rows);
  for (std::size_t member = 0; member < outputs.size(); ++member) {
    const TaskPredictions own = predict_with(task, data, outputs[member], num_rows);
    for (std::size_t i = 0; i < own.values.size(); ++i) {
      if (folds[i % num_rows] == static_cast<std::int32_t>(member)) {
        predictions.values[i] = own.values[i];
      }
    }
  }
  return predictions;
}

std::vector<double> class_probabilities(const Task& task, const TaskPredictions& predictions) {
  const MatrixView<const double> stated = predictions.find(task.program, "probability");
  std::vector<double> probabilities;
  if (stated.rows == 1 && task.labels.size() == 2) {
    for (const double second : stated.row(0)) probabilities.push_back(1 - second);
  }
  probabilities.insert(probabilities.end(), stated.data, stated.data + stated.rows * stated.cols);
  return probabilities;
}

std::vector<PredictedNumber> predicted_numbers(const Task& task, const std::string& prefix) {
  std::vector<PredictedNumber> numbers, of_classes;
  std::size_t row = 0;
  for (const LossProgram::Prediction& prediction : task.program.predictions()) {
    const std::size_t first = row;
    row += prediction.size;
    if (prediction.name == "variance") continue;  // for those who ask for moments
    // A classifier's mean says what its probabilities say.
    if (task.is_classifier() && prediction.name == "mean") continue;
    if (task.is_classifier() && prediction.name == "probability") {
      add_class_numbers(task, first, prediction.size, prefix, of_classes);
      continue;
    }
    for (std::size_t part = 0; part < prediction.size; ++part)
      numbers.push_back({prefix + part_name(prediction, part), first + part});
  }
  numbers.insert(numbers.begin(), of_classes.begin(), of_classes.end());
  return numbers;
}

std::vector<Column> prediction_columns(const Task& task, const TaskPredictions& predictions,
                                       const std::string& prefix) {
  const std::size_t num_rows = predictions.num_rows;
  std::vector<Column> columns;
  if (task.is_classifier()) {
    const std::vector<double> probabilities = class_probabilities(task, predictions);
    columns.push_back(
        class_column(task, {probabilities.data(), task.labels.size(), num_rows}, prefix + "class"));
  }
  for (const PredictedNumber& number : predicted_numbers(task, prefix)) {
    const double* const from = predictions.values.data() + number.row * num_rows;
    std::vector<double> values(from, from + num_rows);
    if (number.is_complement) std::ranges::transform(values, values.begin(), one_minus);
    columns.push_back(number_column(number.name, std::move(values)));
  }
  return columns;
}

std::vector<std::string> first_prediction_names(const Task& task) {
  if (task.is_classifier()) return {"class"};
  const LossProgram::Prediction& first = task.program.predictions().front();
  std::vector<std::string> names;
  for (std::size_t part = 0; part < first.size; ++part) names.push_back(part_name(first, part));
  return names;
}

}  // namespace softwood
