#include "softwood/model.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/simd_target.h"
#include "model/evaluate.h"
#include "model/model_file.h"
#include "model/predict.h"
#include "softwood/error.h"
#include "train/raw_outputs.h"

namespace softwood {
namespace {

std::string read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(fmt::format("cannot open '{}': {}.", path, std::strerror(errno)));
  return {std::istreambuf_iterator<char>(in), {}};
}

MemberOutputs outputs_of(const ModelParts& parts, const Table& table, int threads) {
  ThreadTeam team(threads);
  const Rows rows = parts.encoder.encode(table, threads);
  MemberOutputs outputs;
  for (const Member& member : parts.members) {
    outputs.push_back(in_units(parts.tasks, tree_sums(member.ensemble, member.values, rows, team)));
  }
  return outputs;
}

/// `predict` makes one task's predictions from its columns of the table.
template <class Predict>
Predictions predict_all(const ModelParts& parts, const Table& table, const Predict& predict) {
  std::vector<Column> columns;
  for (const Task& task : parts.tasks) {
    const Responses data = read_prediction_columns(task, table);
    const std::string prefix = parts.tasks.size() == 1 ? "" : task.target + ".";
    for (Column& column : prediction_columns(task, predict(task, data.view()), prefix)) {
      columns.push_back(std::move(column));
    }
  }
  return Predictions(std::move(columns));
}

/// One line.
std::string describe_trees(const Member& member, std::size_t num_columns) {
  const EnsembleShape& shape = member.ensemble.shape();
  std::size_t num_wide = 0;
  for (const Bundle& bundle : shape.bundles) {
    if (bundle.columns.size() == num_columns) num_wide += bundle.num_trees;
  }
  return fmt::format("trees    {} of depth {} ({} see all columns), {} splits, best epoch {}\n",
                     shape.num_trees(), shape.depth, num_wide,
                     shape.activation == Activation::logistic
                         ? "logistic"
                         : fmt::format("smooth-step (γ = {})", shape.gamma),
                     member.best_epoch);
}

}  // namespace

Model::Model(ModelParts parts) : parts_(std::make_shared<const ModelParts>(std::move(parts))) {}

void Model::save(const std::string& path) const {
  AtomicFile file(path);
  file.write(to_safetensors(*parts_).to_bytes());
  file.commit();
}

Model Model::load(const std::string& path) {
  choose_simd_target();
  const std::string bytes = read_bytes(path);
  try {
    return Model(from_safetensors(Safetensors::from_bytes(bytes)));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
}

Predictions Model::predict(const Table& table, int threads) const {
  const MemberOutputs outputs = outputs_of(*parts_, table, threads);
  return predict_all(*parts_, table, [&](const Task& task, const LossData& data) {
    return predict_task(task, data, outputs, table.num_rows());
  });
}

Predictions Model::predict_out_of_fold(const Table& table, int threads) const {
  if (parts_->members.size() < 2 || parts_->folds.size() != table.num_rows()) {
    throw Error(
        "out-of-fold predictions are those of the table that several members were just trained "
        "on, to the end.");
  }
  const MemberOutputs outputs = outputs_of(*parts_, table, threads);
  return predict_all(*parts_, table, [&](const Task& task, const LossData& data) {
    return softwood::predict_out_of_fold(task, data, outputs, parts_->folds);
  });
}

std::vector<Evaluation> Model::evaluate(const Table& table, int threads) const {
  std::vector<Responses> responses;  // before the work of predicting: their mistakes show at once
  for (const Task& task : parts_->tasks) responses.push_back(read_responses(task, table));
  const MemberOutputs outputs = outputs_of(*parts_, table, threads);
  std::vector<Evaluation> evaluations;
  for (std::size_t task = 0; task < parts_->tasks.size(); ++task) {
    evaluations.push_back(evaluate_task(parts_->tasks[task], responses[task], outputs));
  }
  return evaluations;
}

std::map<std::string, ReadAs, std::less<>> Model::read_as(bool with_responses) const {
  auto kinds = parts_->encoder.read_as();
  for (const Task& task : parts_->tasks) {
    for (const std::size_t index : task.program.prediction_columns()) {
      kinds.try_emplace(task.program.columns()[index]);
    }
    if (!with_responses) continue;
    for (const std::string& name : task.program.columns()) kinds.try_emplace(name);
    kinds[task.target] = {.kind = task.target_kind};
  }
  return kinds;
}

std::string Model::describe() const {
  std::string text;
  for (const Task& task : parts_->tasks) {
    text += fmt::format("target   {}  (loss {}", task.target, task.program.source().name);
    if (!task.labels.empty()) text += fmt::format(", {} classes", task.labels.size());
    text += ")\n";
    for (std::size_t output = 0; output < task.num_outputs(); ++output) {
      text += fmt::format("         {} = {:.6g} + {:.6g} · trees\n",
                          task.program.outputs()[output].name, task.units.offset[output],
                          task.units.unit[output]);
    }
  }
  for (const Member& member : parts_->members)
    text += describe_trees(member, parts_->encoder.columns().size());
  text += "columns\n" + parts_->encoder.describe();
  return text;
}

}  // namespace softwood
