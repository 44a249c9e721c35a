#include "train/warm/new_classes.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/member_sums.h"
#include "softwood/error.h"

namespace softwood {
namespace {

/// In the order in which a first training would have them: numbers ascending, texts by alphabet.
struct InOrder {
  bool are_numbers = false;
  bool operator()(const std::string& one, const std::string& other) const {
    return are_numbers ? std::stod(one) < std::stod(other) : one < other;
  }
};

std::vector<std::string> new_labels(const Task& task, const std::vector<const Table*>& tables) {
  const std::set<std::string> known(task.labels.begin(), task.labels.end());
  bool are_numbers = true;
  for (const Table* table : tables)
    are_numbers &= table->column(task.target).kind == ColumnKind::numeric;
  std::set<std::string, InOrder> fresh(InOrder{are_numbers});
  for (const Table* table : tables) {
    const Column& column = table->column(task.target);
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (column.is_missing(row)) continue;
      std::string label = column.text(row);
      if (known.contains(label)) continue;
      fresh.insert(std::move(label));
      if (known.size() + fresh.size() > kMaxClasses)
        throw Error(fmt::format("{}: '{}' has more than {} classes.", table->origin, task.target,
                                kMaxClasses));
    }
  }
  return {fresh.begin(), fresh.end()};
}

/// log Σ exp(f), of a column of outputs.
double log_sum_exp(std::span<const double> f) {
  const double most = *std::ranges::max_element(f);
  double sum = 0;
  for (const double each : f) sum += std::exp(each - most);
  return most + std::log(sum);
}

/// The loss has an output a class, and its probabilities are softmax(f): then an output more is a
/// class more, and nothing else. Found out by trying.
bool is_softmax(const Task& task) {
  const LossProgram& program = task.program;
  const std::size_t classes = task.labels.size();
  if (!program.uses_classes() || program.outputs().size() != classes ||
      !program.prediction_columns().empty())
    return false;
  std::size_t first = 0, size = 0, total = 0;
  for (const LossProgram::Prediction& prediction : program.predictions()) {
    if (prediction.name == "probability") first = total, size = prediction.size;
    total += prediction.size;
  }
  if (size != classes) return false;
  constexpr std::size_t kTrials = 4;
  std::vector<double> f(classes * kTrials), out(total * kTrials);
  for (std::size_t i = 0; i < f.size(); ++i)
    f[i] = 3 * std::sin(1.0 + 7.0 * static_cast<double>(i));  // as good as any
  program.predict(
      {.y = {}, .columns = std::vector<std::span<const double>>(program.columns().size())},
      MatrixView<const double>{f.data(), classes, kTrials},
      MatrixView<double>{out.data(), total, kTrials});
  for (std::size_t trial = 0; trial < kTrials; ++trial) {
    std::vector<double> own;
    for (std::size_t k = 0; k < classes; ++k) own.push_back(f[k * kTrials + trial]);
    const double sum = log_sum_exp(own);
    for (std::size_t k = 0; k < classes; ++k) {
      if (std::abs(out[(first + k) * kTrials + trial] - std::exp(own[k] - sum)) > 1e-9)
        return false;
    }
  }
  return true;
}

void check_that_classes_can_come(const Task& task, const std::vector<std::string>& fresh) {
  if (is_softmax(task)) return;
  throw Error(fmt::format(
      "'{}' has classes that the model to start from has not met: {}. Its loss '{}' cannot take "
      "them up (softmax could): leave these rows out, or train a new model.",
      task.target, fmt::join(fresh, ", "), task.program.source().name));
}

/// Rows of each class.
std::vector<double> count_classes(const Task& task, const ChosenRows& rows,
                                  const Responses& responses) {
  std::vector<double> counts(task.labels.size(), 0);
  for (const std::uint32_t row : rows.rows) {
    const double y = responses.y[row];
    if (!std::isnan(y)) ++counts[static_cast<std::size_t>(y)];
  }
  return counts;
}

/// The mean of log Σ exp(f) over the old classes, over rows and members.
double mean_log_sum(const ModelParts& model, const Task& task, std::size_t num_old,
                    const ChosenRows& rows, ThreadTeam& team) {
  double total = 0;
  std::vector<double> f(num_old);
  for (const Member& member : model.members) {
    const std::vector<double> g = member_sums(member, rows, team);
    for (std::size_t row = 0; row < rows.rows.size(); ++row) {
      for (std::size_t k = 0; k < num_old; ++k) {
        const std::size_t output = task.first_output + k;
        f[k] = member.offset[output] + task.units.unit[k] * g[output * rows.rows.size() + row];
      }
      total += log_sum_exp(f);
    }
  }
  return total / static_cast<double>(model.members.size() * rows.rows.size());
}

}  // namespace

void add_new_classes(Tasks& tasks, const std::vector<const Table*>& tables, const Words& words) {
  for (std::size_t index = 0; index < tasks.size(); ++index) {
    Task& task = tasks[index];
    if (task.labels.empty()) continue;
    const std::vector<std::string> fresh = new_labels(task, tables);
    if (fresh.empty()) continue;
    check_that_classes_can_come(task, fresh);
    task.labels.insert(task.labels.end(), fresh.begin(), fresh.end());
    task.units.offset.resize(task.labels.size(), 0.0);
    task.units.unit.resize(task.labels.size(), task.units.unit.front());
    tasks.replace_program(index, LossProgram::compile(task.program.source(), task.labels.size()));
    words.note(fmt::format("'{}' has new classes, which get outputs of their own: {}", task.target,
                           fmt::join(fresh, ", ")));
  }
}

void find_offsets_of_new_classes(ModelParts& model, const Tasks& old_tasks, const ChosenRows& rows,
                                 const std::vector<Responses>& responses, ThreadTeam& team) {
  for (const Task& old : old_tasks) {
    Task& task = model.tasks[old.index_in_model];
    const std::size_t num_old = old.num_outputs();
    if (task.num_outputs() == num_old) continue;
    const std::vector<double> counts = count_classes(task, rows, responses[old.index_in_model]);
    double old_rows = 0;
    for (std::size_t k = 0; k < num_old; ++k) old_rows += counts[k];
    const double usual = mean_log_sum(model, task, num_old, rows, team);
    constexpr double kLeastRows = 0.5;  // of a class that none of the rows has
    for (std::size_t k = num_old; k < task.num_outputs(); ++k) {
      const double odds = std::max(counts[k], kLeastRows) / std::max(old_rows, kLeastRows);
      task.units.offset[k] = usual + std::log(odds);
      for (Member& member : model.members)
        member.offset[task.first_output + k] = task.units.offset[k];
    }
  }
}

}  // namespace softwood
