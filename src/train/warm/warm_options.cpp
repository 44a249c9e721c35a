#include "train/warm/warm_options.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "options/options_json.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using nlohmann::json;

constexpr std::array kOfTheModel = {
    "features",       "bins",         "fine-bins",  "members",
    "fold-column",    "recipe",       "trees",      "ensemble",
    "depth",          "activation",   "gamma",      "share",
    "share-strength", "share-decay",  "components", "columns-per-tree",
    "valid-fraction", "keep-together"};
constexpr std::array kOfThisRun = {"epochs",   "batch-size", "learning-rate", "leaf-learning-rate",
                                   "schedule", "warm-up",    "patience"};

template <class List>
bool has(const List& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

void expect_same_tasks(const std::vector<TaskOptions>& of_model,
                       const std::vector<TaskOptions>& given) {
  const auto differs = [](const TaskOptions& one, const TaskOptions& other) {
    return one.target != other.target || (!other.loss.empty() && one.loss != other.loss);
  };
  if (given.size() == of_model.size() &&
      std::equal(of_model.begin(), of_model.end(), given.begin(), std::not_fn(differs)))
    return;
  std::string targets;
  for (const TaskOptions& task : of_model)
    targets += fmt::format("{}{}{}", targets.empty() ? "" : ", ", task.target,
                           task.loss.empty() ? "" : " by " + task.loss);
  throw Error(fmt::format(
      "the model to start from learned {}: leave out --target, --loss and --task, or train a new "
      "model.",
      targets));
}

std::vector<TaskOptions> warm_tasks(const std::vector<TaskOptions>& of_model,
                                    const std::vector<TaskOptions>& given) {
  if (given.empty()) return of_model;
  expect_same_tasks(of_model, given);
  std::vector<TaskOptions> tasks = given;
  for (std::size_t task = 0; task < tasks.size(); ++task) tasks[task].loss = of_model[task].loss;
  return tasks;
}

}  // namespace

TrainOptions warm_options(const TrainOptions& of_model, const TrainOptions& given) {
  const json by_default = options_to_json(TrainOptions{});
  const json asked = options_to_json(given);
  json merged = options_to_json(of_model);
  for (const char* name : kOfThisRun) merged.erase(name);
  // Rows that are marked now take the place of those that were drawn then.
  if (!given.valid_column.empty()) {
    for (const char* name : {"valid-fraction", "keep-together"}) merged.erase(name);
  }
  for (const auto& [name, value] : asked.items()) {
    const bool is_given =
        name != "tasks" && (!by_default.contains(name) || by_default[name] != value);
    if (!is_given) continue;
    if (has(kOfTheModel, name) && (!merged.contains(name) || merged[name] != value)) {
      throw Error(fmt::format(
          "--{0} is what it was for the model to start from: leave it out, or train a new model.",
          name));
    }
    merged[name] = value;
  }
  TrainOptions options = options_from_json(merged);
  options.tasks = warm_tasks(of_model.tasks, given.tasks);
  options.threads = given.threads;
  return options;
}

}  // namespace softwood
