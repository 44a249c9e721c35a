#include "train/task.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "softwood/error.h"

namespace softwood {
namespace {

constexpr std::size_t kMaxClasses = 1000;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Distinct responses in all the tables: numbers ascending, or texts in order; as text.
std::vector<std::string> distinct_labels(const std::string& target,
                                         const std::vector<const Table*>& tables) {
  std::set<double> numbers;
  std::set<std::string> texts;
  bool numeric = true;
  for (const Table* table : tables) numeric &= table->column(target).kind == ColumnKind::numeric;
  for (const Table* table : tables) {
    const Column& column = table->column(target);
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (column.is_missing(row)) continue;
      if (numeric) {
        numbers.insert(column.values[row]);
      } else {
        texts.insert(column.text(row));
      }
      if (std::max(numbers.size(), texts.size()) > kMaxClasses) return {};
    }
  }
  std::vector<std::string> labels(texts.begin(), texts.end());
  Column formatter;
  formatter.values.assign(numbers.begin(), numbers.end());
  for (std::size_t row = 0; row < numbers.size(); ++row) labels.push_back(formatter.text(row));
  return labels;
}

bool predicts_probability(const LossProgram& program) {
  return std::any_of(program.predictions().begin(), program.predictions().end(),
                     [](const auto& prediction) { return prediction.name == "probability"; });
}

/// Without --loss: a classifier for text or two values, squared error for numbers.
std::string default_loss(bool text, std::size_t num_labels) {
  if (num_labels == 2) return "logistic";
  return text ? "softmax" : "squared";
}

void check_label_count(const Task& task, bool text) {
  const std::size_t count = task.labels.size();
  const std::string& loss = task.program.source().name;
  if (count == 0) {
    throw Error(fmt::format(
        "column '{}' has no response, or more than {} different ones: too many "
        "classes for the loss '{}'.{}",
        task.target, kMaxClasses, loss, text ? "" : " For a number use a loss such as squared."));
  }
  if (count == 1) {
    throw Error(fmt::format("column '{}' holds only '{}': a classifier needs at least two classes.",
                            task.target, task.labels[0]));
  }
  if (!task.program.uses_classes() && count > 2) {
    throw Error(
        fmt::format("the loss '{}' tells two classes apart, but column '{}' has {}. Use the "
                    "loss softmax.",
                    loss, task.target, count));
  }
}

bool is_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// Numbers were needed: shows the cell that made the column text.
[[noreturn]] void refuse_text(const Task& task, const Table& table) {
  const Column& column = table.column(task.target);
  std::size_t row = 0;
  while (row + 1 < column.size() && (column.is_missing(row) || is_number(column.text(row)))) ++row;
  throw Error(fmt::format(
      "{}: data row {}: column '{}' holds '{}', but the loss '{}' needs numbers. Mend the cell, "
      "or use the loss softmax (logistic for two classes).",
      table.origin, row + 1, task.target, column.text(row), task.program.source().name));
}

/// Numbers of which nobody knows what their commas mean are no classes, unless the user says so.
[[noreturn]] void refuse_unread_numbers(const Table& table, const Column& column) {
  std::size_t row = 0;
  while (row + 1 < column.size() && column.text(row).find(',') == std::string::npos) ++row;
  throw Error(fmt::format(
      "{}: the response '{}' looks like numbers, but nothing tells what the comma in '{}' (data "
      "row "
      "{}) means: --decimal , makes it the decimal separator, --thousands , a separator of "
      "thousands; --categorical {} takes the texts as classes.",
      table.origin, column.name, column.text(row), row + 1, column.name));
}

double response_of(const Task& task, const Column& column, std::size_t row,
                   const std::string& origin) {
  if (column.is_missing(row)) return kMissing;
  if (task.labels.empty()) {
    if (std::isfinite(column.values[row])) return column.values[row];
    throw Error(fmt::format("{}: data row {}: the response '{}' is infinite.", origin, row + 1,
                            task.target));
  }
  const auto found = std::find(task.labels.begin(), task.labels.end(), column.text(row));
  if (found == task.labels.end()) {
    throw Error(fmt::format("{}: data row {}: '{}' is no class of '{}' known to the model.", origin,
                            row + 1, column.text(row), task.target));
  }
  return static_cast<double>(found - task.labels.begin());
}

std::vector<double> read_loss_column(const Task& task, const Table& table,
                                     const std::string& name) {
  const Column* column = table.find(name);
  if (column == nullptr) {
    try {
      table.column(name);
    } catch (const Error& error) {
      throw Error(
          fmt::format("the loss '{}' reads '{}', which is none of its outputs, parameters or "
                      "functions, so it must be a column: {}",
                      task.program.source().name, name, error.what()));
    }
  }
  if (column->kind == ColumnKind::categorical) {
    throw Error(
        fmt::format("{}: the loss '{}' reads column '{}', which holds text; it must be numeric.",
                    table.origin, task.program.source().name, name));
  }
  return column->values.to_vector();
}

void check_loss_columns(const Task& task, const Table& table, const Responses& responses) {
  for (std::size_t index = 0; index < responses.columns.size(); ++index) {
    for (std::size_t row = 0; row < responses.y.size(); ++row) {
      if (std::isnan(responses.y[row]) || std::isfinite(responses.columns[index][row])) continue;
      throw Error(
          fmt::format("{}: data row {}: column '{}' is missing or infinite, but the loss '{}' "
                      "reads it. Fill the cell or remove the response '{}' there.",
                      table.origin, row + 1, task.program.columns()[index],
                      task.program.source().name, task.target));
    }
  }
}

void check_requirements(const Task& task, const Table& table, const Responses& responses) {
  const auto failure = task.program.check(responses.view());
  if (!failure) return;
  std::string settings;
  for (const auto& [name, setting] : task.program.source().settings) {
    std::visit([&, key = name](
                   const auto& value) { settings += fmt::format(" with {} = {}", key, value); },
               setting);
  }
  throw Error(fmt::format(
      "{}: data row {}: {} = {}{} breaks the requirement '{}' of the loss '{}'.", table.origin,
      failure->row + 1, task.target, table.column(task.target).text(failure->row), settings,
      failure->condition, task.program.source().name));
}

}  // namespace

bool Task::is_classifier() const {
  return predicts_probability(program);
}

LossData Responses::view() const {
  LossData data;
  data.y = y;
  for (const std::vector<double>& column : columns) data.columns.emplace_back(column);
  return data;
}

Task make_task(const TaskOptions& options, const std::vector<const Table*>& tables) {
  Task task;
  task.target = options.target;
  task.weight = options.weight;
  task.stop_weight = options.stop_weight.value_or(options.weight);
  task.target_kind = tables.front()->column(options.target).kind;
  const bool text = task.target_kind != ColumnKind::numeric;
  std::vector<std::string> labels = distinct_labels(options.target, tables);
  const LossSource source =
      find_loss(options.loss.empty() ? default_loss(text, labels.size()) : options.loss);
  task.program = LossProgram::compile(source, std::max<std::size_t>(labels.size(), 2));

  const Column& column = tables.front()->column(options.target);
  if (column.undeclared && options.loss.empty()) refuse_unread_numbers(*tables.front(), column);
  const bool classes = task.program.uses_classes() || predicts_probability(task.program);
  if (!classes && column.undeclared) refuse_unread_numbers(*tables.front(), column);
  if (!classes && text && labels.size() != 2) refuse_text(task, *tables.front());
  if (classes || text) task.labels = std::move(labels);
  if (classes) check_label_count(task, text);
  return task;
}

Responses read_responses(const Task& task, const Table& table) {
  const Column& target = table.column(task.target);
  if (task.labels.empty() && target.kind == ColumnKind::categorical) {
    refuse_text(task, table);
  }
  Responses responses;
  responses.y.resize(table.num_rows());
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    responses.y[row] = response_of(task, target, row, table.origin);
  }
  for (const std::string& name : task.program.columns()) {
    responses.columns.push_back(read_loss_column(task, table, name));
  }
  check_loss_columns(task, table, responses);
  check_requirements(task, table, responses);
  return responses;
}

Responses read_prediction_columns(const Task& task, const Table& table, bool with_cdf) {
  Responses responses;
  responses.columns.resize(task.program.columns().size());
  const LossProgram& program = task.program;
  for (const std::size_t index :
       with_cdf ? program.distribution_columns() : program.prediction_columns()) {
    responses.columns[index] = read_loss_column(task, table, task.program.columns()[index]);
  }
  return responses;
}

}  // namespace softwood
