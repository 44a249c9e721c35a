#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/data_source.h"
#include "cli/verbs.h"
#include "softwood/model.h"

namespace softwood::cli {
namespace {

struct EvaluateCommand {
  std::string model;
  DataSource data;
  bool json = false;
  int threads = 0;
};

std::string as_text(const Evaluation& evaluation) {
  std::string text =
      fmt::format("{} ({}), {} rows\n", evaluation.task, evaluation.loss, evaluation.num_rows);
  for (const auto& [name, value] : evaluation.metrics)
    text += fmt::format("  {:<18}{:>12.6g}\n", name, value);
  if (evaluation.calibration.empty()) return text;
  text += fmt::format("  {:<10}{:>12}{:>12}\n", "rows", "predicted", "observed");
  for (const Evaluation::CalibrationBin& bin : evaluation.calibration) {
    text += fmt::format("  {:<10}{:>12.5g}{:>12.5g}\n", bin.num_rows, bin.predicted, bin.observed);
  }
  return text;
}

nlohmann::json as_json(const Evaluation& evaluation) {
  nlohmann::json metrics = nlohmann::json::object();
  for (const auto& [name, value] : evaluation.metrics) metrics[name] = value;
  nlohmann::json bins = nlohmann::json::array();
  for (const Evaluation::CalibrationBin& bin : evaluation.calibration) {
    bins.push_back(
        {{"rows", bin.num_rows}, {"predicted", bin.predicted}, {"observed", bin.observed}});
  }
  return {{"task", evaluation.task},
          {"loss", evaluation.loss},
          {"rows", evaluation.num_rows},
          {"metrics", metrics},
          {"calibration", bins}};
}

void run(const EvaluateCommand& command) {
  const Model model = Model::load(command.model);
  const Table table =
      command.data.read(command.data.path, command.threads, model.read_as(/*with_responses=*/true));
  const std::vector<Evaluation> evaluations = model.evaluate(table, command.threads);
  std::string text;
  if (command.json) {
    nlohmann::json all = nlohmann::json::array();
    for (const Evaluation& evaluation : evaluations) all.push_back(as_json(evaluation));
    text = all.dump(1) + "\n";
  } else {
    for (const Evaluation& evaluation : evaluations) text += as_text(evaluation);
  }
  write_output("-", text);
}

}  // namespace

void add_evaluate(CLI::App& app) {
  CLI::App* verb =
      app.add_subcommand("evaluate", "Compare predictions with the responses in a table");
  auto command = std::make_shared<EvaluateCommand>();
  verb->add_option("MODEL", command->model, "A file that softwood train wrote")
      ->required()
      ->option_text(" ");
  command->data.add_options(*verb, /*with_kinds=*/false);
  verb->get_option("DATA")->required();
  verb->add_flag("--json", command->json, "For programs: a list with one object per task");
  verb->add_option("--threads", command->threads, "0 = as many as the machine has")
      ->option_text("N");
  verb->footer(
      "Prints the mean loss and what fits the response: RMSE, MAE, R² for numbers; Poisson "
      "deviance and\n"
      "AUC of y > 0 for counts; log-loss, accuracy, AUC for classes; then predicted against "
      "observed means\n"
      "in ten bins by predicted value.\n\n"
      "Example:\n"
      "  softwood evaluate visits.softwood test.csv");
  verb->callback([command] { run(*command); });
}

}  // namespace softwood::cli
