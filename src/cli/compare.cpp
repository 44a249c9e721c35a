#include "softwood/compare.h"

#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/printable.h"
#include "cli/comparison_json.h"
#include "cli/final_outputs.h"
#include "cli/interrupt.h"
#include "cli/loss_list.h"
#include "cli/training_options.h"
#include "cli/verbs.h"
#include "softwood/error.h"

namespace softwood::cli {
namespace {

struct CompareCommand {
  TrainingOptions training;
  std::string target, test, output;
  std::vector<std::string> losses;  ///< lists with commas
  bool json = false;
};

std::vector<std::string> settle(const CompareCommand& command) {
  if (command.training.data.path.empty())
    throw Error("no table to learn from: softwood compare DATA --target COLUMN --losses A,B.");
  if (command.target.empty()) throw Error("nothing to learn: name the response with --target.");
  std::vector<std::string> losses;
  for (const std::string& list : command.losses) {
    for (std::string& loss : split_losses(list)) losses.push_back(std::move(loss));
  }
  if (losses.empty()) throw Error("nothing to compare: name losses with --losses A,B.");
  if (!command.output.empty()) {
    std::error_code failure;
    std::filesystem::create_directories(command.output, failure);
    if (failure)
      throw Error(
          fmt::format("cannot make the folder '{}': {}.", command.output, failure.message()));
  }
  return losses;
}

std::string model_path(const CompareCommand& command, const std::string& name) {
  return fmt::format("{}/{}.softwood", command.output, name);
}

void check_files(const CompareCommand& command, const std::vector<std::string>& losses) {
  if (command.output.empty()) return;
  RunFiles files = command.training.files();
  files.reads(command.test);
  for (const std::string& loss : losses) files.reads_loss(loss);
  for (const std::string& name : file_names_of(losses))
    files.writes("--output", model_path(command, name));
  files.check();
}

CompareHooks hooks_for_comparison(ProgressBar& bar, const CompareCommand& command,
                                  const std::vector<std::string>& losses, FinalOutputs& models) {
  CompareHooks hooks;
  hooks.training = hooks_for(bar, command.training.data.strict);
  hooks.training.on_epoch = nullptr;
  hooks.on_loss = [&bar, &losses](std::size_t number, const std::string& name) {
    bar.finish();
    bar.say(fmt::format("{} of {}: {}", number + 1, losses.size(), name));
  };
  if (!command.output.empty()) {
    // What is known of a loss is not lost with the file of its model.
    hooks.on_model = [&, names = file_names_of(losses)](std::size_t number, const Model& model) {
      const std::string path = model_path(command, names[number]);
      models.write(path, [&] { model.save(path); });
    };
  }
  return hooks;
}

Comparison compare_losses(const CompareCommand& command, const std::vector<std::string>& losses,
                          FinalOutputs& models) {
  const TrainingOptions& training = command.training;
  const Table table = training.read(training.data.path);
  CompareOptions options{.target = command.target, .losses = losses, .training = training.options};
  if (!command.test.empty()) {
    options.read_test = [&](const Model& model) {
      return training.read(command.test, model.read_as(ColumnsFor::evaluation));
    };
  }
  std::optional<Table> validation;
  if (!training.valid.empty()) validation = training.read(training.valid);
  options.validation = validation ? &*validation : nullptr;
  ProgressBar bar(training.quiet);
  Comparison comparison =
      compare(table, options, hooks_for_comparison(bar, command, losses, models));
  bar.finish();
  return comparison;
}

/// A table of nothing but failures is not shown: they are the message.
void show(const CompareCommand& command, const Comparison& comparison) {
  write_output(
      "-", command.json ? as_json(comparison).dump(1) + "\n" : printable_lines(comparison.text()));
}

/// Throws Error if a loss has failed, so that nobody takes the others for all.
void refuse_failures(const Comparison& comparison) {
  std::vector<std::string> failed, reasons;
  for (const ComparedLoss& each : comparison.losses) {
    if (each.failure.empty()) continue;
    failed.push_back(each.loss);
    reasons.push_back(fmt::format("\n  {}: {}", each.loss, each.failure));
  }
  if (failed.empty()) return;
  if (failed.size() == comparison.losses.size()) {
    throw Error(fmt::format("none of the losses could be trained.{}", fmt::join(reasons, "")));
  }
  throw Error(fmt::format("{} of {} losses failed: {}. Their lines say why.", failed.size(),
                          comparison.losses.size(), fmt::join(failed, ", ")));
}

void run(CLI::App& verb, CompareCommand& command) {
  watch_for_interrupt();
  command.training.settle(verb);
  const std::vector<std::string> losses = settle(command);
  check_files(command, losses);
  FinalOutputs models;
  const Comparison comparison = compare_losses(command, losses, models);
  show(command, comparison);
  models.check();
  if (!was_interrupted()) refuse_failures(comparison);
}

void add_options(CLI::App& verb, CompareCommand& command) {
  verb.add_option("-t,--target", command.target, "Column to learn")
      ->option_text("COLUMN")
      ->group("What to compare");
  verb.add_option("-l,--losses", command.losses,
                  "Names (softwood losses), formulas or @FILEs, with settings or without, with "
                  "commas between")
      ->allow_extra_args(false)
      ->option_text("LOSS,LOSS")
      ->group("What to compare");
  verb.add_option("--test", command.test, "Table to compare on, instead of a fifth of DATA")
      ->option_text("FILE")
      ->group("Files");
  verb.add_option("-o,--output", command.output, "Folder that keeps the models, as LOSS.softwood")
      ->option_text("FOLDER")
      ->group("Files");
  verb.add_flag("--json", command.json, "For programs: a list with one object per loss");
  command.training.add_options(verb);
}

}  // namespace

void add_compare(CLI::App& app, const ForeignReader& read_foreign) {
  CLI::App* verb = app.add_subcommand("compare", "Train several losses alike and compare them");
  auto command = std::make_shared<CompareCommand>();
  command->training.data.read_foreign = read_foreign;
  add_options(*verb, *command);
  verb->footer(
      "A fifth of the rows, drawn by --seed, is held out; every loss is trained on the others (a "
      "fifth of\n"
      "them validates, as in train) with the same columns, trees and seed, and judged on the rows "
      "held out.\n"
      "A column that one of the losses reads, such as an exposure, is a feature for none of them.\n"
      "A loss that fails says why in its line; the others go on, and the exit code is 2.\n\n"
      "Examples:\n"
      "  softwood compare visits.csv --target visits --losses poisson,zip,nb,zinb,normal\n"
      "  softwood compare claims.csv --target n --losses "
      "'poisson(exposure=years),nb(exposure=years)' "
      "-o models\n"
      "  softwood compare houses.csv --target price --losses 'squared,huber(delta=2),abs(y - f)' "
      "--trees 48");
  verb->callback([verb, command] { run(*verb, *command); });
}

}  // namespace softwood::cli
