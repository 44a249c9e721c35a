#include "model/history_table.h"

#include <cmath>
#include <limits>

#include "model/number_column.h"

namespace softwood {
namespace {

/// `value(result)` of every epoch.
template <class Value>
Column column_of(std::string name, const std::vector<EpochResult>& history, const Value& value) {
  std::vector<double> values;
  for (const EpochResult& result : history) values.push_back(value(result));
  return number_column(std::move(name), std::move(values));
}

double loss_of(const std::vector<double>& losses, std::size_t task) {
  return losses.empty() ? std::numeric_limits<double>::quiet_NaN() : losses[task];
}

double to_milliseconds(double seconds) {
  return std::round(seconds * 1000) / 1000;
}

void add_losses(const std::string& side, std::vector<double> EpochResult::*losses,
                const Tasks& tasks, const std::vector<EpochResult>& history,
                std::vector<Column>& columns) {
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    const std::string suffix = tasks.size() == 1 ? "" : "." + tasks[task].target;
    columns.push_back(column_of(side + suffix, history, [&](const EpochResult& result) {
      return loss_of(result.*losses, task);
    }));
  }
}

}  // namespace

Table history_table(const ModelParts& parts) {
  // Members are trained in step, and the first one tells how it went; in older files each tells
  // its own.
  std::vector<EpochResult> history;
  std::size_t num_tellers = 0;
  for (const Member& member : parts.members) {
    history.insert(history.end(), member.record.history.begin(), member.record.history.end());
    num_tellers += member.record.history.empty() ? 0 : 1;
  }
  std::vector<Column> columns;
  if (num_tellers > 1)
    columns.push_back(column_of("member", history, [](const auto& each) { return each.member; }));
  columns.push_back(column_of("epoch", history, [](const auto& each) { return each.epoch; }));
  columns.push_back(
      column_of("learning_rate", history, [](const auto& each) { return each.learning_rate; }));
  add_losses("training_loss", &EpochResult::training_loss, parts.tasks, history, columns);
  add_losses("validation_loss", &EpochResult::validation_loss, parts.tasks, history, columns);
  add_losses("best_validation_loss", &EpochResult::best_validation_loss, parts.tasks, history,
             columns);
  columns.push_back(
      column_of("best_epoch", history, [](const auto& each) { return each.best_epoch; }));
  columns.push_back(column_of("best", history, [](const auto& each) { return each.best; }));
  columns.push_back(column_of("seconds", history,
                              [](const auto& each) { return to_milliseconds(each.seconds); }));
  return Table(std::move(columns));
}

}  // namespace softwood
