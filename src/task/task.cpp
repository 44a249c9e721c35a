#include "task/task.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loss/catalogue/find_loss.h"
#include "softwood/error.h"
#include "task/responses.h"

namespace softwood {
namespace {

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

}  // namespace

bool Task::is_classifier() const {
  return predicts_probability(program);
}

Task make_task(const TaskOptions& options, const std::vector<const Table*>& tables) {
  Task task;
  task.target = options.target;
  task.weight = options.weight;
  task.stop_weight = options.stop_weight.value_or(options.weight);
  task.target_kind = tables.front()->column(options.target).kind;
  const bool text = task.target_kind != ColumnKind::numeric;
  std::vector<std::string> labels = distinct_labels(options.target, tables);
  const ParsedLoss source =
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

}  // namespace softwood
