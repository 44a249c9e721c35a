#include "softwood/model.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/simd_target.h"
#include "model/distribution/distribution_columns.h"
#include "model/evaluate/evaluate.h"
#include "model/file/model_file.h"
#include "model/history_table.h"
#include "model/predict.h"
#include "softwood/error.h"
#include "task/responses.h"

namespace softwood {
namespace {

std::string read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(fmt::format("cannot open '{}': {}.", path, std::strerror(errno)));
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string prefix_of(const ModelParts& parts, const Task& task) {
  return parts.tasks.size() == 1 ? "" : task.target + ".";
}

/// `predict` makes one task's columns from what its loss reads of the table.
template <class Predict>
Predictions predict_all(const ModelParts& parts, const Table& table, bool with_cdf,
                        const Predict& predict) {
  std::vector<Column> columns;
  for (const Task& task : parts.tasks) {
    const Responses data = read_prediction_columns(task, table, with_cdf);
    for (Column& column : predict(task, data.view())) columns.push_back(std::move(column));
  }
  return Predictions(std::move(columns));
}

/// A file does not say which trees are wide. They see all columns on their coarse scales, which
/// come first; narrow ones may happen to see all columns too, but on the fine scales of those that
/// have one. Where none has, what was asked for tells, and that narrow trees come a few in a
/// bundle.
bool is_wide(const Bundle& bundle, const EnsembleShape& shape, const ModelParts& parts) {
  const std::size_t num_columns = parts.encoder.columns().size();
  const bool sees_all =
      bundle.columns.size() == num_columns && bundle.columns.back() + 1 == num_columns;
  if (!sees_all || shape.columns.size() > num_columns) return sees_all;
  const std::string& groups = parts.options.ensemble;
  const bool has_wide = groups.empty() || groups.find("wide") != std::string::npos;
  const bool has_narrow =
      groups.empty() ? parts.options.recipe != "paper" : groups.find("narrow") != std::string::npos;
  return !has_narrow || (has_wide && bundle.num_trees > narrow_trees_per_bundle(shape.depth));
}

/// One line.
std::string describe_trees(const Member& member, const ModelParts& parts) {
  const EnsembleShape& shape = member.ensemble.shape();
  std::size_t num_wide = 0;
  for (const Bundle& bundle : shape.bundles) {
    if (is_wide(bundle, shape, parts)) num_wide += bundle.num_trees;
  }
  return fmt::format("trees    {} of depth {} ({} wide, {} narrow), {} splits, best epoch {}\n",
                     shape.num_trees(), shape.depth, num_wide, shape.num_trees() - num_wide,
                     shape.activation == Activation::logistic
                         ? "logistic"
                         : fmt::format("smooth-step (γ = {})", shape.gamma),
                     member.best_epoch);
}

}  // namespace

Model::Model(ModelParts parts) : parts_(std::make_shared<const ModelParts>(std::move(parts))) {}

void Model::save(const std::string& path) const {
  AtomicFile file(path);
  file.write(to_bytes());
  file.commit();
}

std::string Model::to_bytes() const {
  return to_safetensors(*parts_).to_bytes();
}

Model Model::from_bytes(std::string_view bytes) {
  choose_simd_target();
  return Model(from_safetensors(Safetensors::from_bytes(bytes)));
}

Model Model::load(const std::string& path) {
  const std::string bytes = read_bytes(path);
  try {
    return from_bytes(bytes);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
}

Predictions Model::predict(const Table& table, int threads) const {
  return predict(table, PredictOptions{.threads = threads});
}

Predictions Model::predict(const Table& table, const PredictOptions& options) const {
  const bool with_cdf = asks_for_distributions(options);
  if (with_cdf) check_distributions(parts_->tasks, options);
  ThreadTeam team(options.threads);
  const MemberOutputs outputs = member_outputs(*parts_, table, team);
  const std::size_t num_rows = table.num_rows();
  return predict_all(*parts_, table, with_cdf, [&](const Task& task, const LossData& data) {
    const std::string prefix = prefix_of(*parts_, task);
    std::vector<Column> columns =
        prediction_columns(task, predict_task(task, data, outputs, num_rows), prefix);
    if (with_cdf && has_distribution(task)) {
      const Distribution distribution(task, data, outputs, num_rows, team);
      add_distribution_columns(distribution, task, options, prefix, columns);
    }
    return columns;
  });
}

PredictedDistribution Model::distribution(const Table& table, const std::string& target,
                                          int threads) const {
  return PredictedDistribution(parts_, table, target, threads);
}

Predictions Model::predict_out_of_fold(const Table& table, int threads) const {
  if (parts_->members.size() < 2 || parts_->folds.size() != table.num_rows()) {
    throw Error(
        "out-of-fold predictions are those of the table that several members were just trained "
        "on, to the end.");
  }
  ThreadTeam team(threads);
  const MemberOutputs outputs = member_outputs(*parts_, table, team);
  return predict_all(*parts_, table, false, [&](const Task& task, const LossData& data) {
    return prediction_columns(task,
                              softwood::predict_out_of_fold(task, data, outputs, parts_->folds),
                              prefix_of(*parts_, task));
  });
}

std::vector<Evaluation> Model::evaluate(const Table& table, int threads) const {
  std::vector<const Task*> tasks;
  for (const Task& task : parts_->tasks) {
    if (table.find(task.target) != nullptr) tasks.push_back(&task);
  }
  if (tasks.empty()) table.column(parts_->tasks[0].target);  // throws, with the nearest name
  std::vector<Responses> responses;  // before the work of predicting: their mistakes show at once
  for (const Task* task : tasks) responses.push_back(read_responses(*task, table));
  ThreadTeam team(threads);
  const MemberOutputs outputs = member_outputs(*parts_, table, team);
  std::vector<Evaluation> evaluations;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    evaluations.push_back(evaluate_task(*tasks[i], responses[i], outputs, team));
  return evaluations;
}

std::map<std::string, ReadAs, std::less<>> Model::read_as(bool with_responses,
                                                          bool with_distributions) const {
  auto kinds = parts_->encoder.read_as();
  for (const Task& task : parts_->tasks) {
    const LossProgram& program = task.program;
    for (const std::size_t index :
         with_distributions ? program.distribution_columns() : program.prediction_columns()) {
      kinds.try_emplace(program.columns()[index]);
    }
    if (!with_responses) continue;
    for (const std::string& name : program.columns()) kinds.try_emplace(name);
    kinds[task.target] = {.kind = task.target_kind};
  }
  return kinds;
}

Table Model::history() const {
  return history_table(*parts_);
}

std::string Model::describe() const {
  std::string text;
  for (const Task& task : parts_->tasks) {
    text += fmt::format("target   {}  (loss {}", task.target, task.program.source().name);
    if (!task.labels.empty()) text += fmt::format(", {} classes", task.labels.size());
    text += ")\n";
    for (std::size_t output = 0; output < task.num_outputs(); ++output) {
      text += fmt::format(
          "         {} = {:.6g} + {:.6g} · trees\n", task.program.outputs()[output].name,
          mean_offset(*parts_, task.first_output + output), task.units.unit[output]);
    }
  }
  for (const Member& member : parts_->members) text += describe_trees(member, *parts_);
  text += "columns\n" + parts_->encoder.describe();
  return text;
}

}  // namespace softwood
