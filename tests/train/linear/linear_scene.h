#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "loss/catalogue/find_loss.h"
#include "model/number_column.h"
#include "task/raw_outputs.h"
#include "train/all_rows.h"
#include "train/linear/fit_linear.h"

namespace softwood {

/// Rows of a table with tasks to learn, in folds.
struct LinearScene {
  std::vector<std::vector<double>> x{};  ///< numeric columns
  Table table{};
  Encoder encoder{};
  Rows rows{};
  Tasks tasks{};
  std::vector<Responses> responses{};
  std::vector<double> weights{};
  std::vector<Examples> training{}, validation{};

  LinearScene(std::size_t num_rows, std::size_t num_columns, std::uint64_t seed) {
    for (std::size_t column = 0; column < num_columns; ++column) {
      const RandomStream random(seed, "linear scene", column);
      std::vector<double>& values = x.emplace_back();
      for (std::size_t row = 0; row < num_rows; ++row)
        values.push_back(10 * random.uniform(row) - 5 + static_cast<double>(column));
    }
  }
  std::size_t num_rows() const { return x[0].size(); }

  /// Makes the encoder of x and of more columns.
  void encode(std::vector<Column> more = {}, bool linear = false) {
    std::vector<Column> columns;
    std::vector<std::string> names;
    for (std::size_t column = 0; column < x.size(); ++column)
      columns.push_back(number_column("x" + std::to_string(column), x[column]));
    for (Column& column : more) columns.push_back(std::move(column));
    for (const Column& column : columns) names.push_back(column.name);
    table = Table(columns);
    encoder = Encoder::fit(table, all_rows(num_rows()),
                           {.features = names, .bins = 8, .linear = linear, .threads = 1});
    rows = encoder.encode(table, 1);
  }
  void add_task(const char* loss, std::vector<double> y, std::size_t num_classes = 0) {
    Task task;
    task.program = LossProgram::compile(find_loss(loss), num_classes);
    responses.push_back({.y = std::move(y), .columns = {}});
    task.units = find_units(task.program, responses.back().view(), weights);
    tasks.push_back(std::move(task));
  }
  /// Every so many-th row is a member's validation row.
  void split(std::size_t num_folds, std::size_t num_members) {
    training.clear();
    validation.clear();
    for (std::size_t member = 0; member < num_members; ++member) {
      std::vector<std::uint32_t> in, out;
      for (const std::uint32_t row : all_rows(num_rows()))
        (num_folds > 1 && row % num_folds == member ? out : in).push_back(row);
      training.push_back(select_examples(rows.view(), responses, weights, in));
      validation.push_back(select_examples(rows.view(), responses, weights, out));
    }
  }
  LinearFit fit(int threads = 1) const {
    std::vector<LinearSides> sides;
    for (std::size_t member = 0; member < training.size(); ++member)
      sides.push_back({&training[member], &validation[member]});
    ThreadTeam team(threads);
    return fit_linear(tasks, encoder, sides, team, {});
  }

  double normal(std::uint64_t seed, std::size_t row) const {
    const RandomStream random(seed, "noise");
    double sum = -6;
    for (std::uint64_t i = 0; i < 12; ++i) sum += random.uniform(row * 12 + i);
    return sum;
  }
  /// A sum of the columns in sds, the first ones weighing most.
  double truth(std::size_t row) const {
    double sum = 0;
    for (std::size_t column = 0; column < x.size(); ++column) {
      const double weight =
          std::cos(1.7 * static_cast<double>(column)) / (1 + static_cast<double>(column));
      sum += weight * (x[column][row] - static_cast<double>(column)) / 2.9;
    }
    return sum;
  }
};

/// g [outputs × rows] of a part.
inline std::vector<double> sums(const LinearPart& part, const Examples& examples) {
  std::vector<double> g(part.num_outputs() * examples.size());
  part.add_sums(examples.positions, examples.rows, {g.data(), part.num_outputs(), examples.size()});
  return g;
}

/// The objective of a task, all else fixed, by the loss program: mean loss / scale + penalty / 2 ·
/// Σ weights².
inline double penalised_loss(const LinearScene& scene, std::size_t task, const LinearPart& part,
                             const Examples& examples, double penalty) {
  const Task& own = scene.tasks[task];
  const std::vector<double> f = in_units(scene.tasks, sums(part, examples));
  const std::size_t count = examples.size();
  std::vector<double> losses(count);
  const Responses& responses = examples.responses[task];
  own.program.value(responses.view(),
                    {f.data() + own.first_output * count, own.num_outputs(), count}, losses);
  double loss = 0, weight = 0, squares = 0;
  for (std::size_t row = 0; row < count; ++row) {
    if (std::isnan(responses.y[row])) continue;
    loss += examples.weight(row) * losses[row];
    weight += examples.weight(row);
  }
  for (std::size_t i = 0; i < part.weights().size(); ++i) {
    const std::size_t output = i % part.num_outputs();
    if (output < own.first_output || output >= own.first_output + own.num_outputs()) continue;
    squares += static_cast<double>(part.weights()[i]) * static_cast<double>(part.weights()[i]);
  }
  return loss / weight / own.units.loss_scale + penalty / 2 * squares;
}

}  // namespace softwood
