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

std::vector<double> outputs_of(const ModelParts& parts, const Table& table, int threads) {
  ThreadTeam team(threads);
  return raw_outputs(parts.tasks, parts.ensemble, parts.values,
                     parts.encoder.encode(table, threads), team);
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
  const std::vector<double> f = outputs_of(*parts_, table, threads);
  std::vector<Column> columns;
  for (const Task& task : parts_->tasks) {
    const Responses data = read_prediction_columns(task, table);
    const std::string prefix = parts_->tasks.size() == 1 ? "" : task.target + ".";
    const auto predictions = predict_task(task, data.view(), f, table.num_rows());
    for (Column& column : prediction_columns(task, predictions, prefix)) {
      columns.push_back(std::move(column));
    }
  }
  return Predictions(std::move(columns));
}

std::vector<Evaluation> Model::evaluate(const Table& table, int threads) const {
  std::vector<Responses> responses;  // before the work of predicting: their mistakes show at once
  for (const Task& task : parts_->tasks) responses.push_back(read_responses(task, table));
  const std::vector<double> f = outputs_of(*parts_, table, threads);
  std::vector<Evaluation> evaluations;
  for (std::size_t task = 0; task < parts_->tasks.size(); ++task) {
    evaluations.push_back(evaluate_task(parts_->tasks[task], responses[task], f));
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
  const EnsembleShape& shape = parts_->ensemble.shape();
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
  text += fmt::format(
      "trees    {} of depth {}, {} splits, best epoch {}\n", shape.num_trees(), shape.depth,
      shape.activation == Activation::logistic ? "logistic"
                                               : fmt::format("smooth-step (γ = {})", shape.gamma),
      parts_->best_epoch);
  text += "columns\n" + parts_->encoder.describe();
  return text;
}

}  // namespace softwood
