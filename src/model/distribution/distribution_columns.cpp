#include "model/distribution/distribution_columns.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.h"
#include "softwood/error.h"

namespace softwood {
namespace {

void check_values(const PredictOptions& options) {
  for (const double level : options.quantiles) check_level(level, "a level of quantiles");
  for (const double level : options.intervals) check_level(level, "a level of interval");
  for (const double bound : options.prob_above) {
    if (std::isnan(bound)) throw Error("a bound of prob-above is no number.");
  }
  if (options.samples < 0)
    throw Error(fmt::format("sample is {}; it must be 0 or more.", options.samples));
}

/// Which of a few responses a loss allows: tells numbers, amounts, shares and counts apart.
std::vector<bool> allowed_responses(const LossProgram& program) {
  const std::vector<double> one = {1.0};
  std::vector<bool> allowed;
  for (const double y : {-1.5, 0.0, 0.5, 1.0, 2.0, 2.5}) {
    const std::vector<double> response = {y};
    const LossData data{.y = response, .columns = {program.columns().size(), one}};
    allowed.push_back(!program.check(data));
  }
  return allowed;
}

/// Built-in losses with a distribution for the responses that `program` allows; else all of them.
std::vector<std::string> losses_with_distribution(const LossProgram& program) {
  std::vector<std::string> alike, all;
  for (const CatalogueEntry& entry : loss_catalogue()) {
    const LossProgram other = LossProgram::compile({entry.name, entry.text, {}}, 2);
    const bool classifies =
        std::any_of(other.predictions().begin(), other.predictions().end(),
                    [](const auto& prediction) { return prediction.name == "probability"; });
    if (!other.has_cdf() || classifies) continue;
    all.push_back(entry.name);
    if (allowed_responses(other) == allowed_responses(program)) alike.push_back(entry.name);
  }
  return alike.empty() ? all : alike;
}

std::string why_none(const Task& task) {
  if (task.is_classifier())
    return fmt::format("'{}' is a class: its probabilities are its distribution", task.target);
  return fmt::format(
      "the loss '{}' of '{}' states no distribution (no line 'cdf(q) = …'); such losses are {}",
      task.program.source().name, task.target,
      fmt::join(losses_with_distribution(task.program), ", "));
}

Column column_of(std::string name, std::vector<double> values) {
  Column column;
  column.name = std::move(name);
  column.values = std::move(values);
  return column;
}

void put(Column column, std::vector<Column>& columns) {
  const auto same = std::find_if(columns.begin(), columns.end(),
                                 [&](const Column& other) { return other.name == column.name; });
  if (same == columns.end()) {
    columns.push_back(std::move(column));
  } else {
    *same = std::move(column);
  }
}

void add_moments(const Distribution& distribution, const std::string& prefix,
                 std::vector<Column>& columns) {
  Moments moments = distribution.moments();
  std::vector<double> sd;
  for (const double variance : moments.variance) sd.push_back(std::sqrt(variance));
  put(column_of(prefix + "mean", std::move(moments.mean)), columns);
  put(column_of(prefix + "sd", std::move(sd)), columns);
  put(column_of(prefix + "variance", std::move(moments.variance)), columns);
}

/// (1 − 0.9)/2 as the 0.05 that people mean, so that an interval ends exactly at its quantiles.
double rounded(double level) {
  const double near = std::round(level * 1e15) / 1e15;
  return near > 0 && near < 1 ? near : level;
}

}  // namespace

bool has_distribution(const Task& task) {
  return task.program.has_cdf() && !task.is_classifier();
}

void check_level(double level, const char* what) {
  if (level > 0 && level < 1) return;
  throw Error(fmt::format("{} is {}; it must be above 0 and below 1.", what, level));
}

IntervalLevels interval_levels(double level) {
  return {.lower = rounded((1 - level) / 2), .upper = rounded((1 + level) / 2)};
}

const Task& task_with_distribution(const Tasks& tasks, const std::string& target) {
  if (target.empty()) {
    const auto first = std::find_if(tasks.begin(), tasks.end(), has_distribution);
    if (first == tasks.end()) throw Error(why_none(tasks.front()) + ".");
    return *first;
  }
  std::vector<std::string> targets;
  for (const Task& task : tasks) {
    targets.push_back(task.target);
    if (task.target != target) continue;
    if (!has_distribution(task)) throw Error(why_none(task) + ".");
    return task;
  }
  throw Error(fmt::format("the model has no task '{}'.{}", target, did_you_mean(target, targets)));
}

std::string sample_purpose(const Task& task) {
  return "sample " + task.target;
}

bool asks_for_distributions(const PredictOptions& options) {
  return !options.quantiles.empty() || !options.intervals.empty() || !options.prob_above.empty() ||
         options.samples != 0 || options.moments;
}

void check_distributions(const Tasks& tasks, const PredictOptions& options) {
  check_values(options);
  if (std::none_of(tasks.begin(), tasks.end(), has_distribution))
    throw Error(why_none(tasks.front()) + ".");
  for (const Task& task : tasks) {
    if (!has_distribution(task) && options.on_note) options.on_note(why_none(task));
  }
}

void add_distribution_columns(const Distribution& distribution, const Task& task,
                              const PredictOptions& options, const std::string& prefix,
                              std::vector<Column>& columns) {
  const auto add = [&](const std::string& name, std::vector<double> values) {
    columns.push_back(column_of(prefix + name, std::move(values)));
  };
  if (options.moments) add_moments(distribution, prefix, columns);
  for (const double level : options.quantiles)
    add(fmt::format("quantile_{}", level), distribution.quantile(level));
  for (const double level : options.intervals) {
    const IntervalLevels ends = interval_levels(level);
    add(fmt::format("lower_{}", level), distribution.quantile(ends.lower));
    add(fmt::format("upper_{}", level), distribution.quantile(ends.upper));
  }
  for (const double bound : options.prob_above)
    add(fmt::format("above_{}", bound), distribution.above(bound));
  for (int draw = 0; draw < options.samples; ++draw) {
    add(fmt::format("sample_{}", draw + 1),
        distribution.sample(options.seed, sample_purpose(task), static_cast<std::uint64_t>(draw),
                            options.first_row));
  }
}

}  // namespace softwood
