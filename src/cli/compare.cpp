#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/random.h"
#include "cli/comparison_table.h"
#include "cli/interrupt.h"
#include "cli/loss_list.h"
#include "cli/training_options.h"
#include "cli/verbs.h"
#include "data/table/splits.h"
#include "loss/language/loss_program.h"
#include "model/distribution/distribution_columns.h"
#include "model/model_parts.h"
#include "softwood/error.h"
#include "train/prepare/examples.h"
#include "train/prepare/table_account.h"

namespace softwood::cli {
namespace {

constexpr double kHeldOut = 0.2;

struct CompareCommand {
  TrainingOptions training;
  std::string target, test, output;
  std::vector<std::string> losses;  ///< lists with commas
  bool json = false;
};

/// The table without the responses of some rows. A row without one neither trains nor counts, and
/// rows keep their numbers in messages.
Table without_responses(const Table& table, const std::string& target,
                        const std::vector<std::uint32_t>& rows) {
  std::vector<Column> columns = table.columns();
  for (Column& column : columns) {
    if (column.name != target) continue;
    for (const std::uint32_t row : rows) {
      if (column.kind == ColumnKind::categorical) {
        column.codes[row] = -1;
      } else {
        column.values[row] = std::nan("");
      }
    }
  }
  Table masked(std::move(columns));
  masked.origin = table.origin;
  return masked;
}

/// Rows with a response; the validation side is held out. Whole groups stay together.
Split hold_out(const Table& table, const CompareCommand& command) {
  const TrainOptions& options = command.training.options;
  const Column& target = table.column(command.target);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < table.num_rows(); ++row) {
    if (!target.is_missing(row)) rows.push_back(row);
  }
  const std::uint64_t seed = RandomStream(options.seed, "hold out").bits(0);
  Split split = options.keep_together.empty()
                    ? split_at_random(rows, kHeldOut, seed)
                    : split_by_group(rows, table.column(options.keep_together), kHeldOut, seed);
  if (split.training.empty() || split.validation.empty()) {
    throw Error(fmt::format("{}: '{}' has a value in {} rows: too few to hold a fifth out.",
                            table.origin, command.target, rows.size()));
  }
  return split;
}

/// What any of the losses reads is a feature for none of them, so that all see the same.
void share_features(TrainOptions& options, const std::vector<std::string>& losses,
                    const Table& table) {
  if (!options.features.empty()) return;
  std::set<std::string> read;
  for (const std::string& loss : losses) {
    try {
      const LossProgram program = LossProgram::compile(find_loss(loss), 2);
      read.insert(program.columns().begin(), program.columns().end());
    } catch (const Error&) {
      continue;  // its row of the table will say why
    }
  }
  for (const std::string& name : read) {
    if (table.find(name) != nullptr) options.drop.push_back(name);
  }
}

/// The tables that all the losses share.
struct Ground {
  Table training;
  Table test;  ///< empty if --test names a file, which each model reads its own way
  TrainOptions options;
  std::string account;  ///< of what was read
};

/// What was read, in a sentence. `dropped`: by the user.
std::string account_of(const Table& table, const TrainOptions& options, const std::string& target,
                       const std::vector<std::string>& dropped) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < table.num_rows(); ++row) {
    if (!table.column(target).is_missing(row)) rows.push_back(row);
  }
  EncoderOptions encoding;
  encoding.features = choose_features(options, {}, table);
  std::erase(encoding.features, target);
  return table_account(table, find_left_out(table, rows, encoding), dropped);
}

Evaluation evaluate(const CompareCommand& command, const Ground& ground, const Model& model) {
  const int threads = command.training.options.threads;
  if (command.test.empty()) return model.evaluate(ground.test, threads)[0];
  return model.evaluate(command.training.read(command.test, model.read_as(/*with_responses=*/true)),
                        threads)[0];
}

void fill_in(const Model& model, Contender& contender) {
  const Task& task = model.parts().tasks[0];
  const std::string named = find_loss(contender.loss).name;
  if (task.program.source().name != named) contender.chosen = task.program.source().name;
  contender.is_discrete = task.program.is_discrete();
  for (const auto& [name, value] : contender.evaluation.metrics) {
    const bool complete = name == "loss" && task.program.has_cdf();
    // A classifier's loss is comparable as what it is, the log-loss.
    if (complete && !task.is_classifier()) contender.likelihood = value;
  }
  for (const Member& member : model.parts().members)
    contender.num_trees += member.ensemble.shape().num_trees();
}

/// `path`: where the model goes; empty = nowhere.
Contender try_loss(const CompareCommand& command, const Ground& ground, const std::string& loss,
                   const std::string& path, const Hooks& hooks) {
  Contender contender{.loss = loss};
  try {
    TrainOptions options = ground.options;
    options.tasks = {{.target = command.target, .loss = loss}};
    const auto start = std::chrono::steady_clock::now();
    const Model model = command.training.train(ground.training, options, hooks);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (was_interrupted()) throw Error("interrupted.");
    contender.seconds = taken.count();
    contender.evaluation = evaluate(command, ground, model);
    fill_in(model, contender);
    if (!path.empty()) model.save(path);
  } catch (const Error& error) {
    contender = {.loss = loss, .failure = error.what()};
  }
  return contender;
}

std::vector<Contender> try_all(const CompareCommand& command, const Ground& ground,
                               const std::vector<std::string>& losses) {
  ProgressBar bar(command.training.quiet);
  Hooks hooks = hooks_for(bar, command.training.data.strict);
  hooks.on_note = nullptr;  // the same for every loss
  if (!command.training.data.strict) {
    const auto told = std::make_shared<std::set<std::string>>();  // hooks are copied
    hooks.on_warning = [warn = hooks.on_warning, told](const std::string& text) {
      if (told->insert(text).second) warn(text);
    };
  }
  hooks.on_epoch = nullptr;
  bar.say("note: " + ground.account);
  const std::vector<std::string> names = file_names_of(losses);
  std::vector<Contender> contenders;
  for (std::size_t i = 0; i < losses.size() && !was_interrupted(); ++i) {
    bar.say(fmt::format("{} of {}: {}", i + 1, losses.size(), losses[i]));
    const std::string path =
        command.output.empty() ? "" : fmt::format("{}/{}.softwood", command.output, names[i]);
    contenders.push_back(try_loss(command, ground, losses[i], path, hooks));
    bar.finish();
  }
  return contenders;
}

std::vector<std::string> settle(CompareCommand& command) {
  if (command.training.data.path.empty())
    throw Error("no table to learn from: softwood compare DATA --target COLUMN --losses A,B.");
  if (command.target.empty()) throw Error("nothing to learn: name the response with --target.");
  std::vector<std::string> losses;
  for (const std::string& list : command.losses) {
    for (std::string& loss : split_losses(list)) losses.push_back(std::move(loss));
  }
  if (losses.empty()) throw Error("nothing to compare: name losses with --losses A,B.");
  if (std::set<std::string>(losses.begin(), losses.end()).size() < losses.size())
    throw Error("--losses names a loss twice.");
  if (!command.output.empty()) {
    std::error_code failure;
    std::filesystem::create_directories(command.output, failure);
    if (failure)
      throw Error(
          fmt::format("cannot make the folder '{}': {}.", command.output, failure.message()));
  }
  return losses;
}

Ground prepare(const CompareCommand& command, const std::vector<std::string>& losses) {
  const TrainingOptions& training = command.training;
  Ground ground{.training = training.read(training.data.path),
                .test = {},
                .options = training.options,
                .account = {}};
  ground.training.column(command.target);
  share_features(ground.options, losses, ground.training);
  ground.account =
      account_of(ground.training, ground.options, command.target, training.options.drop);
  if (!command.test.empty()) return ground;
  const Split split = hold_out(ground.training, command);
  ground.test = without_responses(ground.training, command.target, split.training);
  ground.training = without_responses(ground.training, command.target, split.validation);
  return ground;
}

/// A table of nothing but failures is not shown: they are the message.
void show(const CompareCommand& command, const std::vector<Contender>& contenders) {
  const Contender& best = contenders.front();
  if (command.json) {
    write_output("-", comparison_json(contenders).dump(1) + "\n");
  } else if (best.failure.empty()) {
    write_output("-", fmt::format("{} on {} rows that no loss has seen\n\n{}", command.target,
                                  best.evaluation.num_rows, comparison_text(contenders)));
  }
}

/// Throws Error if a loss has failed, so that nobody takes the others for all.
void refuse_failures(const std::vector<Contender>& contenders) {
  std::vector<std::string> failed, reasons;
  for (const Contender& each : contenders) {
    if (each.failure.empty()) continue;
    failed.push_back(each.loss);
    reasons.push_back(fmt::format("\n  {}: {}", each.loss, each.failure));
  }
  if (failed.empty()) return;
  if (failed.size() == contenders.size()) {
    throw Error(fmt::format("none of the losses could be trained.{}", fmt::join(reasons, "")));
  }
  throw Error(fmt::format("{} of {} losses failed: {}. Their lines say why.", failed.size(),
                          contenders.size(), fmt::join(failed, ", ")));
}

void run(CLI::App& verb, CompareCommand& command) {
  watch_for_interrupt();
  command.training.settle(verb);
  const std::vector<std::string> losses = settle(command);
  const Ground ground = prepare(command, losses);
  std::vector<Contender> contenders = try_all(command, ground, losses);
  sort_contenders(contenders);
  show(command, contenders);
  if (!was_interrupted()) refuse_failures(contenders);
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
