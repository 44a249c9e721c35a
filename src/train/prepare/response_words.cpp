#include "train/prepare/response_words.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "data/text/number_style.h"
#include "softwood/error.h"
#include "train/prepare/count_family.h"

namespace softwood {
namespace {

/// More classes than this, and more than half as many as rows, are no classes.
constexpr std::size_t kFewClasses = 10;
/// Fewer rows are too few for a classifier of two numbers to go without a warning.
constexpr std::size_t kFewRows = 10;
/// Whole numbers in a row are labels rather than measurements up to this many.
constexpr std::size_t kMostLabels = 20;
constexpr std::size_t kRowsPerLabel = 5;

std::size_t count_present(const Column& column) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < column.size(); ++row) count += !column.is_missing(row);
  return count;
}

void check_class_count(const Task& task, bool has_loss, const Column& column,
                       const NoteSink& warn) {
  const std::size_t rows = count_present(column), classes = task.labels.size();
  if (!task.is_classifier() || classes < 3 || 2 * classes <= rows) return;
  const bool text = column.kind == ColumnKind::categorical;
  const std::string message = fmt::format(
      "the response '{}' has {} classes in {} rows, hardly two of them alike: {}", task.target,
      classes, rows,
      text ? fmt::format("choose another target, or, if these are numbers, let --numeric {} find "
                         "the cells that are none",
                         task.target)
           : "learn them as numbers, with a loss such as squared");
  // Who names a loss of classes for texts means classes.
  if (classes > kFewClasses && !(text && has_loss)) throw Error(message + ".");
  warn(message);
}

void tell_two_numbers(const Task& task, const Column& column, const Words& words) {
  if (column.kind != ColumnKind::numeric || task.labels.size() != 2 || !task.is_classifier())
    return;
  if (task.labels[0] == "0" && task.labels[1] == "1") return;
  const std::size_t rows = count_present(column);
  const std::string message = fmt::format(
      "the response '{}' has two values, {} and {}, in {} rows: they are learned as classes; "
      "--loss "
      "squared learns them as numbers",
      task.target, task.labels[0], task.labels[1], rows);
  (rows < kFewRows ? words.warn : words.note)(message);
}

void tell_labels_as_numbers(const Task& task, const Column& column, const NoteSink& note) {
  if (column.kind != ColumnKind::numeric || !task.labels.empty()) return;
  std::vector<double> present;
  std::set<double> values;
  for (const double value : column.values) {
    if (std::isnan(value)) continue;
    present.push_back(value);
    if (values.size() <= kMostLabels) values.insert(value);
  }
  if (values.size() < 3 || values.size() > kMostLabels) return;
  const double first = *values.begin(), last = *values.rbegin();
  const bool in_a_row = (first == 0 || first == 1) && first == std::floor(first) &&
                        last - first == static_cast<double>(values.size() - 1) &&
                        std::all_of(values.begin(), values.end(),
                                    [](double value) { return value == std::floor(value); });
  if (!in_a_row || present.size() < kRowsPerLabel * values.size() || looks_like_counts(present))
    return;
  note(
      fmt::format("the response '{}' holds the whole numbers {} … {} and is learned as a number; "
                  "for classes: --loss softmax",
                  task.target, first, last));
}

}  // namespace

void check_responses(const TrainOptions& options, const Tasks& tasks, const Table& table,
                     const Words& words) {
  for (std::size_t index = 0; index < tasks.size(); ++index) {
    const Column& column = table.column(tasks[index].target);
    const bool has_loss = !options.tasks[index].loss.empty();
    check_class_count(tasks[index], has_loss, column, words.warn);
    if (has_loss) continue;
    tell_two_numbers(tasks[index], column, words);
    tell_labels_as_numbers(tasks[index], column, words.note);
  }
}

}  // namespace softwood
