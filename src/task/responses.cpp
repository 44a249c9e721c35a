#include "task/responses.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "softwood/error.h"

namespace softwood {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

bool is_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

double response_of(const Task& task, const Column& column, std::size_t row, const Table& table) {
  if (column.is_missing(row)) return kMissing;
  if (task.labels.empty()) {
    if (std::isfinite(column.values[row])) return column.values[row];
    throw Error(fmt::format("{}: data row {}: the response '{}' is infinite.", table.origin,
                            table.row_number(row), task.target));
  }
  const auto found = std::find(task.labels.begin(), task.labels.end(), column.text(row));
  if (found == task.labels.end()) {
    throw Error(fmt::format("{}: data row {}: '{}' is no class of '{}' known to the model.",
                            table.origin, table.row_number(row), column.text(row), task.target));
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
                      table.origin, table.row_number(row), task.program.columns()[index],
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
      table.row_number(failure->row), task.target, table.column(task.target).text(failure->row),
      settings, failure->condition, task.program.source().name));
}

std::vector<std::span<const double>> views_of(const std::vector<std::vector<double>>& columns) {
  return {columns.begin(), columns.end()};
}

LossColumns read_columns(const Task& task, const Table& table,
                         const std::vector<std::size_t>& indices) {
  LossColumns data{.columns = std::vector<std::vector<double>>(task.program.columns().size())};
  for (const std::size_t index : indices)
    data.columns[index] = read_loss_column(task, table, task.program.columns()[index]);
  return data;
}

}  // namespace

void refuse_text(const Task& task, const Table& table) {
  const Column& column = table.column(task.target);
  std::size_t row = 0;
  while (row + 1 < column.size() && (column.is_missing(row) || is_number(column.text(row)))) ++row;
  throw Error(fmt::format(
      "{}: data row {}: column '{}' holds '{}', but the loss '{}' needs numbers. Mend the cell, "
      "or use the loss softmax (logistic for two classes).",
      table.origin, table.row_number(row), task.target, column.text(row),
      task.program.source().name));
}

LossData Responses::view() const {
  return {.y = y, .columns = views_of(columns)};
}

Responses read_responses(const Task& task, const Table& table) {
  const Column& target = table.column(task.target);
  if (task.labels.empty() && target.kind == ColumnKind::categorical) {
    refuse_text(task, table);
  }
  Responses responses;
  responses.y.resize(table.num_rows());
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    responses.y[row] = response_of(task, target, row, table);
  }
  for (const std::string& name : task.program.columns()) {
    responses.columns.push_back(read_loss_column(task, table, name));
  }
  check_loss_columns(task, table, responses);
  check_requirements(task, table, responses);
  return responses;
}

LossData LossColumns::view() const {
  return {.y = {}, .columns = views_of(columns)};
}

LossColumns read_prediction_columns(const Task& task, const Table& table) {
  return read_columns(task, table, task.program.prediction_columns());
}

LossColumns read_distribution_columns(const Task& task, const Table& table) {
  return read_columns(task, table, task.program.distribution_columns());
}

}  // namespace softwood
