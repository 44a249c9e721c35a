#include "softwood/model.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/out_of_memory.h"
#include "base/printable.h"
#include "base/simd_target.h"
#include "model/describe.h"
#include "model/distribution/distribution_columns.h"
#include "model/evaluate/evaluate.h"
#include "model/file/model_file.h"
#include "model/history_table.h"
#include "model/model_access.h"
#include "model/predict_blocks.h"
#include "softwood/error.h"
#include "task/responses.h"

namespace softwood {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

/// The start of a model: the length of its header, then the header, which is an object.
bool can_be_model(std::string_view start) {
  constexpr std::size_t kHeader = sizeof(std::uint64_t);
  return start.size() > kHeader && start[kHeader] == '{';
}

/// Throws Error as soon as the file cannot be a model. What never ends (a device, a pipe) is read
/// as far as a model of its header goes.
std::string read_bytes(const std::string& path) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none))
    throw Error(fmt::format("'{}' is a folder, not a model.", path));
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(fmt::format("cannot open '{}': {}.", path, std::strerror(errno)));
  std::string bytes;
  std::optional<std::size_t> claimed;
  if (std::filesystem::is_regular_file(path, none)) {
    claimed = std::filesystem::file_size(path, none);
    bytes.reserve(*claimed);  // a growing text would be copied
  }
  std::string piece(kPiece, '\0');
  while (in.read(piece.data(), kPiece), in.gcount() > 0) {
    bytes.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (!can_be_model(bytes)) break;
    if (!claimed) claimed = Safetensors::claimed_size(bytes);
    if (claimed && bytes.size() > *claimed) break;
  }
  return bytes;
}

/// Messages quote what stands in the file, which may be long and hold control characters.
std::string message_for_people(const Error& error) {
  constexpr std::size_t kLongestMessage = 2000;
  return shortened(printable_lines(error.what()), kLongestMessage);
}

/// So few rows are predicted before a thread has started.
constexpr std::size_t kRowsForOneThread = 64;

int threads_for_rows(const Table& table, int threads) {
  const int wanted = ThreadTeam::resolve(threads);
  return table.num_rows() <= kRowsForOneThread ? 1 : wanted;
}

std::string prefix_of(const ModelParts& parts, const Task& task) {
  return parts.tasks.size() == 1 ? "" : task.target + ".";
}

}  // namespace

Model::Model(std::shared_ptr<const ModelParts> parts) : parts_(std::move(parts)) {}

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
  try {
    return ModelAccess::make(from_safetensors(Safetensors::from_bytes(bytes)));
  } catch (const Error& error) {
    throw Error(message_for_people(error));
  }
}

Model Model::load(const std::string& path) {
  choose_simd_target();
  return name_lack_of_memory(
      fmt::format("the model '{}' is read", path), "it needs several times the file's size", [&] {
        std::string bytes = read_bytes(path);
        try {
          Safetensors file = Safetensors::from_bytes(bytes);
          bytes = {};  // no more of a large file in memory than its numbers, and the model of them
          return ModelAccess::make(from_safetensors(std::move(file)));
        } catch (const Error& error) {
          throw Error(fmt::format("{}: {}", path, message_for_people(error)));
        }
      });
}

Predictions Model::predict(const Table& table, int threads) const {
  return predict(table, PredictOptions{.threads = threads});
}

Predictions Model::predict(const Table& table, const PredictOptions& options) const {
  const bool with_cdf = asks_for_distributions(options);
  if (with_cdf) check_distributions(parts_->tasks, options);
  // Questions about distributions take longer.
  ThreadTeam team(with_cdf ? options.threads : threads_for_rows(table, options.threads));
  const auto predict_rows = [&](const Task& task, const LossData& data, const OutputBlock& block) {
    const std::string prefix = prefix_of(*parts_, task);
    const TaskOutputs outputs = block.of_task(task);
    std::vector<Column> columns =
        prediction_columns(task, predict_task(task, data, outputs, block.num_rows), prefix);
    if (with_cdf && has_distribution(task)) {
      const Distribution distribution(task, data, outputs, block.num_rows, team,
                                      options.first_row + block.first);
      add_distribution_columns(distribution, task, options, prefix, columns);
    }
    return columns;
  };
  const auto purpose = with_cdf ? ColumnsFor::distributions : ColumnsFor::predictions;
  return name_lack_of_memory(
      fmt::format("{} rows are predicted", table.num_rows()), "predict fewer rows at a time",
      [&] { return predict_blocks(*parts_, table, purpose, team, predict_rows); });
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
  const auto predict_rows = [&](const Task& task, const LossData& data, const OutputBlock& block) {
    const auto folds = std::span(parts_->folds).subspan(block.first, block.num_rows);
    return prediction_columns(task,
                              softwood::predict_out_of_fold(task, data, block.of_task(task), folds),
                              prefix_of(*parts_, task));
  };
  return predict_blocks(*parts_, table, ColumnsFor::predictions, team, predict_rows);
}

std::vector<Evaluation> Model::evaluate(const Table& table, int threads) const {
  std::vector<const Task*> tasks;
  for (const Task& task : parts_->tasks) {
    if (table.find(task.target) != nullptr) tasks.push_back(&task);
  }
  if (tasks.empty()) table.column(parts_->tasks[0].target);  // throws, with the nearest name
  std::vector<Responses> responses;  // before the work of predicting: their mistakes show at once
  for (const Task* task : tasks) responses.push_back(read_responses(*task, table));
  std::vector<TaskEvaluator> evaluators;
  for (std::size_t i = 0; i < tasks.size(); ++i) evaluators.emplace_back(*tasks[i], responses[i]);
  ThreadTeam team(threads);
  const auto add = [&](const OutputBlock& block) {
    for (TaskEvaluator& evaluator : evaluators) evaluator.add(block, team);
  };
  name_lack_of_memory(fmt::format("{} rows are evaluated", table.num_rows()),
                      "evaluate fewer rows at a time",
                      [&] { OutputBlocks(*parts_, table, team).visit(add); });
  std::vector<Evaluation> evaluations;
  for (const TaskEvaluator& evaluator : evaluators) evaluations.push_back(evaluator.finish());
  return evaluations;
}

std::map<std::string, ReadAs, std::less<>> Model::read_as(ColumnsFor purpose) const {
  auto kinds = parts_->encoder.read_as();
  for (const Task& task : parts_->tasks) {
    const LossProgram& program = task.program;
    if (purpose == ColumnsFor::evaluation) {
      for (const std::string& name : program.columns()) kinds.try_emplace(name);
      kinds[task.target] = {.kind = task.target_kind};
      continue;
    }
    for (const std::size_t index : purpose == ColumnsFor::distributions
                                       ? program.distribution_columns()
                                       : program.prediction_columns()) {
      kinds.try_emplace(program.columns()[index]);
    }
  }
  return kinds;
}

Table Model::history() const {
  return history_table(*parts_);
}

std::string Model::describe() const {
  return describe_model(*parts_);
}

}  // namespace softwood
