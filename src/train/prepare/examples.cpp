#include "train/prepare/examples.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loss/constants/weighted_rows.h"
#include "softwood/error.h"

namespace softwood {
namespace {

constexpr double kValidFraction = 0.2;

template <class T>
std::vector<T> pick(const std::vector<T>& from, std::span<const std::uint32_t> chosen) {
  std::vector<T> picked(chosen.size());
  for (std::size_t row = 0; row < chosen.size(); ++row) picked[row] = from[chosen[row]];
  return picked;
}

/// Columns with a role other than feature.
std::set<std::string> reserved_columns(const TrainOptions& options, const Tasks& tasks) {
  std::set<std::string> reserved(options.drop.begin(), options.drop.end());
  for (const Task& task : tasks) {
    reserved.insert(task.target);
    reserved.insert(task.program.columns().begin(), task.program.columns().end());
  }
  for (const std::string& name :
       {options.weight, options.valid_column, options.keep_together, options.fold_column}) {
    if (!name.empty()) reserved.insert(name);
  }
  return reserved;
}

/// `--features` may name a column that the loss reads, but no response.
void check_chosen_features(const TrainOptions& options, const Tasks& tasks, const Table& table) {
  for (const std::string& name : options.features) {
    table.column(name);
    for (const Task& task : tasks) {
      if (task.target == name) {
        throw Error(fmt::format("'{}' is both a target and a feature: remove it from one.", name));
      }
    }
  }
}

}  // namespace

std::vector<std::string> choose_features(const TrainOptions& options, const Tasks& tasks,
                                         const Table& table) {
  for (const std::string& name : options.drop) table.column(name);
  if (!options.features.empty()) {
    check_chosen_features(options, tasks, table);
    std::vector<std::string> features;
    for (const std::string& name : table.names()) {
      const auto has = [&](const std::vector<std::string>& list) {
        return std::find(list.begin(), list.end(), name) != list.end();
      };
      if (has(options.features) && !has(options.drop)) features.push_back(name);
    }
    return features;
  }
  const std::set<std::string> reserved = reserved_columns(options, tasks);
  std::vector<std::string> features = table.names();
  std::erase_if(features, [&](const std::string& name) { return reserved.contains(name); });
  return features;
}

void check_row_count(const TrainOptions& options, std::span<const std::uint32_t> rows,
                     const Table& table) {
  if (rows.size() >= 2) return;
  std::vector<std::string> targets;
  for (const TaskOptions& task : options.tasks) targets.push_back(task.target);
  throw Error(fmt::format("{}: '{}' has a value in {}; at least two are needed.", table.origin,
                          fmt::join(targets, "', '"), rows.empty() ? "no row" : "1 row"));
}

std::size_t num_folds(const TrainOptions& options) {
  const auto members = static_cast<std::size_t>(options.members.value_or(1));
  if (!options.valid_fraction || *options.valid_fraction == 0) return members;
  return std::max(members, static_cast<std::size_t>(std::lround(1 / *options.valid_fraction)));
}

std::vector<Split> split_rows(const TrainOptions& options, std::span<const std::uint32_t> rows,
                              const Table& table) {
  const Column* group =
      options.keep_together.empty() ? nullptr : &table.column(options.keep_together);
  if (!options.fold_column.empty()) {
    return split_by_fold_column(rows, table.column(options.fold_column));
  }
  if (options.members.value_or(1) > 1) {
    const auto members = static_cast<std::size_t>(*options.members);
    const std::size_t folds = num_folds(options);
    std::vector<Split> splits = group == nullptr
                                    ? split_into_folds(rows, folds, options.seed)
                                    : split_groups_into_folds(rows, *group, folds, options.seed);
    splits.resize(members);
    return splits;
  }
  if (!options.valid_column.empty()) {
    return {split_by_column(rows, table.column(options.valid_column))};
  }
  const double fraction = options.valid_fraction.value_or(kValidFraction);
  return {group == nullptr ? split_at_random(rows, fraction, options.seed)
                           : split_by_group(rows, *group, fraction, options.seed)};
}

std::vector<double> read_weights(const TrainOptions& options, const Table& table) {
  if (options.weight.empty()) return {};
  const Column& column = table.column(options.weight);
  if (column.kind != ColumnKind::numeric) {
    throw Error(fmt::format("{}: the weights in column '{}' must be numbers.", table.origin,
                            options.weight));
  }
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (column.values[row] >= 0 && std::isfinite(column.values[row])) continue;
    throw Error(
        fmt::format("{}: data row {}: the weight in column '{}' is '{}'; it must be zero or more.",
                    table.origin, table.row_number(row), options.weight, column.text(row)));
  }
  if (std::all_of(column.values.begin(), column.values.end(), [](double w) { return w == 0; })) {
    throw Error(
        fmt::format("{}: the weights in column '{}' are all zero: nothing is left to learn.",
                    table.origin, options.weight));
  }
  return column.values.to_vector();
}

Examples select_examples(MatrixView<const float> positions, const std::vector<Responses>& responses,
                         const std::vector<double>& weights,
                         std::span<const std::uint32_t> chosen) {
  Examples examples;
  examples.positions = positions;
  examples.rows.assign(chosen.begin(), chosen.end());
  for (const Responses& task : responses) {
    Responses& picked = examples.responses.emplace_back();
    picked.y = pick(task.y, chosen);
    for (const auto& column : task.columns) picked.columns.push_back(pick(column, chosen));
  }
  if (!weights.empty()) examples.weights = pick(weights, chosen);
  return examples;
}

void normalise_weights(Examples& training, Examples& validation) {
  if (training.weights.empty()) return;
  const auto counts = [](const std::vector<double>& weights) {
    return std::any_of(weights.begin(), weights.end(), [](double weight) { return weight > 0; });
  };
  if (!counts(training.weights)) throw Error("all training rows have weight 0.");
  loss::make_mean_one(training.weights);
  if (counts(validation.weights)) loss::make_mean_one(validation.weights);
}

}  // namespace softwood
