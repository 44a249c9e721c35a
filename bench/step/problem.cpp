#include "step/problem.h"

#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/random.h"

namespace softwood {
namespace {

Column numeric_column(std::size_t index, std::size_t num_rows) {
  const RandomStream random(1, "numeric", index);
  std::vector<double> values(num_rows);
  for (std::size_t row = 0; row < num_rows; ++row) values[row] = 4 * random.uniform(row) - 2;
  return {.name = fmt::format("x{}", index), .values = std::move(values)};
}

Column labels(std::string name, std::uint64_t stream, std::size_t num_levels,
              std::size_t num_rows) {
  const RandomStream random(2, "labels", stream);
  std::vector<std::int32_t> codes(num_rows);
  // The first rows show every level.
  for (std::size_t row = 0; row < num_rows; ++row) {
    const std::uint64_t level = row < num_levels ? row : random.below(row, num_levels);
    codes[row] = static_cast<std::int32_t>(level);
  }
  Column column{
      .name = std::move(name), .kind = ColumnKind::categorical, .codes = std::move(codes)};
  for (std::size_t level = 0; level < num_levels; ++level) {
    column.levels.push_back(fmt::format("level {}", level));
  }
  return column;
}

/// Numbers that every loss of counts, of 0 and 1, or of real numbers takes.
Column response(const ProblemSize& size, std::size_t task) {
  const std::string name = fmt::format("y{}", task);
  if (size.num_classes > 0) return labels(name, 1000 + task, size.num_classes, size.num_rows);
  const RandomStream random(3, "response", task);
  std::vector<double> values(size.num_rows);
  const double most = size.loss == "logistic" ? 2 : 5;
  for (std::size_t row = 0; row < size.num_rows; ++row) {
    values[row] = std::floor(most * random.uniform(row) * random.uniform(size.num_rows + row) +
                             random.uniform(2 * size.num_rows + row));
    if (size.loss == "logistic") values[row] = std::min(values[row], 1.0);
  }
  return {.name = name, .values = std::move(values)};
}

Table make_table(const ProblemSize& size) {
  std::vector<Column> columns;
  for (std::size_t index = 0; index < size.num_numeric; ++index)
    columns.push_back(numeric_column(index, size.num_rows));
  constexpr std::size_t kLevels[] = {40, 2, 12, 25, 5, 8};
  for (std::size_t index = 0; index < size.num_categories; ++index) {
    columns.push_back(labels(fmt::format("c{}", index), index, kLevels[index % std::size(kLevels)],
                             size.num_rows));
  }
  for (std::size_t task = 0; task < size.num_tasks; ++task) columns.push_back(response(size, task));
  return Table(std::move(columns));
}

Preparation prepare_problem(const ProblemSize& size) {
  TrainOptions options = size.options;
  options.members = 1;
  options.valid_fraction = 0;
  for (std::size_t task = 0; task < size.num_tasks; ++task)
    options.tasks.push_back({.target = fmt::format("y{}", task), .loss = size.loss});
  const Words silent{.note = [](const std::string&) {}, .warn = [](const std::string&) {}};
  return prepare(make_table(size), nullptr, options, silent);
}

}  // namespace

Problem::Problem(const ProblemSize& size)
    : preparation_(prepare_problem(size)),
      sides_(preparation_.sides(0)),
      groups_(prepare_groups(
          preparation_.settings, preparation_,
          {.whole = sides_.training, .rest = sides_.training, .first = sides_.training})),
      order_(sides_.training.size()) {
  std::iota(order_.begin(), order_.end(), 0U);
  RandomStream(4, "order").shuffle(order_);
}

}  // namespace softwood
