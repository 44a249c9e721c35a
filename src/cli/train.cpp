#include "softwood/train.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.h"
#include "cli/data_source.h"
#include "cli/final_outputs.h"
#include "cli/interrupt.h"
#include "cli/output_files.h"
#include "cli/training_options.h"
#include "cli/verbs.h"
#include "data/csv/writer.h"
#include "model/model_access.h"
#include "softwood/error.h"
#include "train/checkpoint/checkpoint_file.h"

namespace softwood::cli {
namespace {

struct TrainCommand {
  TrainingOptions training;
  std::vector<std::string> targets, tasks, task_weights, stop_weights;
  std::string loss, output, history, out_of_fold;
  CheckpointOptions checkpoint;
  std::string start_from;
  int add_trees = 0;
};

void add_checkpoint_options(CLI::App& verb, CheckpointOptions& checkpoint) {
  const auto add = [&](const char* flag, auto& field, const char* value, const char* help) {
    verb.add_option(flag, field, help)->option_text(value)->group("Checkpoints");
  };
  add("--checkpoint", checkpoint.path, "FILE",
      "Where training stands, written as it goes, so that it can be resumed");
  add("--checkpoint-every", checkpoint.every_epochs, "N", "Write it every N epochs");
  add("--checkpoint-minutes", checkpoint.every_minutes, "M", "Write it every M minutes [5]");
  verb.add_flag("--resume", checkpoint.resume,
                "Go on from the checkpoint, to the same bytes as without a break; from the start "
                "if there is none")
      ->group("Checkpoints");
}

void add_options(CLI::App& verb, TrainCommand& command) {
  verb.add_option("-t,--target", command.targets, "Column to learn; several: --target a,b")
      ->delimiter(',')
      ->option_text("COLUMN")
      ->group("What to learn");
  verb.add_option("-l,--loss", command.loss,
                  "A name (softwood losses), a formula in y and f, or @FILE;\n"
                  "count finds the distribution of counts by itself\n"
                  "[text or two values: a classifier; numbers: squared]")
      ->option_text("LOSS")
      ->group("What to learn");
  verb.add_option(
          "--task", command.tasks,
          "Several responses of their own kinds: --task claims=poisson --task paid=logistic")
      ->option_text("TARGET=LOSS")
      ->group("What to learn");
  verb.add_option("--task-weight", command.task_weights,
                  "How much a task counts in the splits that it shares with others [1]")
      ->option_text("TARGET=W")
      ->group("Several tasks");
  verb.add_option("--stop-weight", command.stop_weights,
                  "How much its validation loss counts when shared trees stop; 0 = not at all "
                  "[its weight]")
      ->option_text("TARGET=W")
      ->group("Several tasks");
  verb.add_option("-o,--output", command.output, "Where the model goes")
      ->option_text("MODEL")
      ->group("Files");
  verb.add_option("--history", command.history, "Losses and rate of every epoch, as CSV")
      ->option_text("FILE")
      ->group("Files");
  verb.add_option("--out-of-fold", command.out_of_fold,
                  "With --members: predictions of every row by the member that did not see it, as "
                  "CSV")
      ->option_text("FILE")
      ->group("Files");
  verb.add_option("--start-from", command.start_from,
                  "Train on a finished model instead of a new one; targets, losses and trees are "
                  "the model's")
      ->option_text("MODEL")
      ->group("Training");
  verb.add_option("--add-trees", command.add_trees,
                  "With --start-from: leave the model's trees as they are, and add N that learn "
                  "what they leave")
      ->option_text("N")
      ->check(CLI::Range(1, 1'000'000))
      ->group("Training");
  add_checkpoint_options(verb, command.checkpoint);
  command.training.add_options(verb);
  verb.footer(
      "Examples:\n"
      "  softwood train visits.csv --target visits --loss zip -o visits.softwood\n"
      "  softwood train goals.csv --target goals --loss count -o goals.softwood\n"
      "  softwood train policies.csv.gz --target claims --loss 'nb(exposure=years)' --drop id -o "
      "claims.softwood\n"
      "  softwood train houses.csv --target price --loss 'abs(y - f)' -o prices.softwood\n"
      "  softwood train bikes.csv --task casual=poisson --task registered=nb -o bikes.softwood");
}

/// "hospital=3": sets a number of the task of that target.
template <class Field>
void set_weights(const std::vector<std::string>& texts, const char* option, Field field,
                 std::vector<TaskOptions>& tasks) {
  for (const std::string& text : texts) {
    const std::size_t at = text.rfind('=');
    const std::string target = text.substr(0, at);
    const auto task = std::find_if(tasks.begin(), tasks.end(),
                                   [&](const TaskOptions& each) { return each.target == target; });
    std::vector<std::string> targets;
    for (const TaskOptions& each : tasks) targets.push_back(each.target);
    if (task == tasks.end()) {
      throw Error(fmt::format("--{} {}: '{}' is no target.{}", option, text, target,
                              did_you_mean(target, targets)));
    }
    double weight = 0;
    if (at == std::string::npos || !CLI::detail::lexical_cast(text.substr(at + 1), weight)) {
      throw Error(fmt::format("--{} {}: write TARGET=NUMBER.", option, text));
    }
    (*task).*field = weight;
  }
}

/// "casual=poisson"; the first '=' divides, so formulas may hold more.
TaskOptions parse_task(const std::string& text) {
  const std::size_t at = text.find('=');
  TaskOptions task;
  task.target = text.substr(0, at);
  if (at != std::string::npos) task.loss = text.substr(at + 1);
  return task;
}

void check_checkpoint(const CLI::App& verb, const CheckpointOptions& checkpoint) {
  if (!checkpoint.path.empty()) {
    if (verb.count("--checkpoint-every") > 0 && verb.count("--checkpoint-minutes") > 0)
      throw Error("--checkpoint-every counts epochs, --checkpoint-minutes time: give one of them.");
    if (verb.count("--checkpoint-every") > 0 && checkpoint.every_epochs < 1)
      throw Error("--checkpoint-every must be 1 or more epochs.");
    return;
  }
  for (const char* option : {"--checkpoint-every", "--checkpoint-minutes", "--resume"}) {
    if (verb.count(option) > 0)
      throw Error(fmt::format("{} needs --checkpoint FILE: where training stands.", option));
  }
}

void settle_tasks(const CLI::App& verb, TrainCommand& command) {
  TrainOptions& options = command.training.options;
  for (const std::string& target : command.targets) {
    options.tasks.push_back({.target = target, .loss = command.loss});
  }
  for (const std::string& text : command.tasks) options.tasks.push_back(parse_task(text));
  if (options.tasks.empty() && !(command.task_weights.empty() && command.stop_weights.empty()))
    throw Error("--task-weight and --stop-weight go with --target or --task: name the targets.");
  set_weights(command.task_weights, "task-weight", &TaskOptions::weight, options.tasks);
  set_weights(command.stop_weights, "stop-weight", &TaskOptions::stop_weight, options.tasks);
  if (command.training.data.path.empty())
    throw Error("no table to learn from: softwood train DATA --target COLUMN -o MODEL.");
  if (command.add_trees > 0 && command.start_from.empty())
    throw Error("--add-trees adds to a model: name it with --start-from MODEL.");
  if (options.tasks.empty() && command.start_from.empty())
    throw Error("nothing to learn: name the response with --target.");
  if (!command.loss.empty() && command.targets.empty()) {
    throw Error("--loss goes with --target; a --task names its own loss: --task TARGET=LOSS.");
  }
  check_checkpoint(verb, command.checkpoint);
  const bool folds = options.members.value_or(1) > 1 || !options.fold_column.empty();
  if (!command.out_of_fold.empty() && !folds) {
    throw Error("--out-of-fold needs --members or --fold-column.");
  }
  if (command.output.empty() || command.output == "-") {
    throw Error("no place for the model: name a file with -o FILE.");
  }
}

/// "8 members of 34 trees of depth 3 and a linear part on 16 columns"
std::string size_of_model(const ModelParts& parts) {
  const Member& first = parts.members.front();
  const EnsembleShape& shape = first.ensemble.shape();
  std::vector<std::string> addends;
  if (shape.num_trees() > 0 || !first.linear)
    addends.push_back(fmt::format("{} trees of depth {}", shape.num_trees(), shape.depth));
  if (first.linear) addends.emplace_back("a linear part");
  const std::string members =
      parts.members.size() > 1 ? fmt::format("{} members of ", parts.members.size()) : "";
  return fmt::format("{}{} on {} columns", members, fmt::join(addends, " and "),
                     parts.encoder.columns().size());
}

std::string summary(const TrainCommand& command, const Model& model, double seconds) {
  const ModelParts& parts = ModelAccess::parts(model);
  const std::vector<double> losses = mean_validation_losses(parts);
  std::string text;
  for (std::size_t task = 0; task < losses.size(); ++task) {
    text += fmt::format("{}: validation loss {:.6g} ({})\n", parts.tasks[task].target, losses[task],
                        parts.tasks[task].program.source().name);
  }
  if (losses.empty())
    text += "no validation rows: the last epoch is kept, and no loss can be told\n";
  text += fmt::format("{} in {:.1f} s: wrote {}", size_of_model(parts), seconds, command.output);
  std::error_code no_file;  // a pipe, or gone already
  const std::uintmax_t bytes = std::filesystem::file_size(command.output, no_file);
  if (!no_file) text += fmt::format(" ({:.0f} kB)", static_cast<double>(bytes) / 1000);
  return text;
}

/// A line per row of the training table: its fold and its predictions.
void write_out_of_fold(const std::string& path, const Model& model, const Table& table,
                       int threads) {
  Column fold;
  fold.name = "fold";
  for (const std::int32_t number : ModelAccess::parts(model).folds) {
    fold.values.push_back(number < 0 ? std::nan("") : number);
  }
  std::vector<Column> columns = {std::move(fold)};
  const Predictions predictions = model.predict_out_of_fold(table, threads);
  for (const Column& column : predictions.table().columns()) columns.push_back(column);
  write_output(path, to_csv(Table(std::move(columns))));
}

void check_files(const TrainCommand& command) {
  RunFiles files = command.training.files();
  for (const TaskOptions& task : command.training.options.tasks) files.reads_loss(task.loss);
  // Only the new model may take the old one's place: it is written when all has gone well.
  if (command.start_from != command.output) files.reads(command.start_from);
  files.writes("--output", command.output)
      .writes("--history", command.history)
      .writes("--out-of-fold", command.out_of_fold)
      .writes("--checkpoint", command.checkpoint.path);
  if (!command.checkpoint.path.empty())
    files.writes("--checkpoint", path_before(command.checkpoint.path));
  files.check();
}

/// What is known of the checkpoint when training is over.
struct CheckpointOutcome {
  bool is_there = false;  ///< one that the same command can go on from
  bool is_last = true;    ///< it holds all that was learned
};

CheckpointOutcome found_checkpoint(const CheckpointOptions& options) {
  std::error_code unknown;
  const bool is_there =
      options.resume && (std::filesystem::exists(options.path, unknown) ||
                         std::filesystem::exists(path_before(options.path), unknown));
  return {.is_there = is_there};
}

/// Empty: there is nothing to go on from.
std::string way_to_go_on(const std::string& path, const CheckpointOutcome& checkpoint) {
  if (!checkpoint.is_there) return "";
  return fmt::format("{} '{}': the same command with --resume goes on from there.",
                     checkpoint.is_last ? "The training is in the checkpoint"
                                        : "An earlier state of the training is in the checkpoint",
                     path);
}

/// The model first: nothing else is worth as much.
void write_results(const TrainCommand& command, const Model& model, const Table& table,
                   const CheckpointOutcome& checkpoint) {
  FinalOutputs outputs;
  outputs.write(command.output, [&] { model.save(command.output); });
  if (outputs.has_failed()) outputs.advise(way_to_go_on(command.checkpoint.path, checkpoint));
  if (!command.history.empty())
    outputs.write(command.history, [&] { write_output(command.history, to_csv(model.history())); });
  if (!command.out_of_fold.empty()) {
    outputs.write(command.out_of_fold, [&] {
      write_out_of_fold(command.out_of_fold, model, table, command.training.options.threads);
    });
  }
  outputs.check();
}

void run(CLI::App& verb, TrainCommand& command) {
  watch_for_interrupt();
  const TrainingOptions& training = command.training;
  training.settle(verb);
  settle_tasks(verb, command);
  check_files(command);
  const auto start = std::chrono::steady_clock::now();
  std::optional<Model> old;
  if (!command.start_from.empty()) old = Model::load(command.start_from);
  const Model* const start_from = old ? &*old : nullptr;
  const Table table = training.read(training.data.path, kinds_for(start_from));

  ProgressBar bar(training.quiet);
  CheckpointOutcome checkpoint = found_checkpoint(command.checkpoint);
  Hooks hooks = hooks_for(bar, training.data.strict);
  hooks.on_checkpoint = [&](bool is_written) {
    checkpoint = {.is_there = checkpoint.is_there || is_written, .is_last = is_written};
  };
  const Model model = training.train(
      table, training.options, hooks,
      {.start_from = start_from, .add_trees = command.add_trees, .checkpoint = command.checkpoint});
  bar.finish();
  if (was_interrupted()) bar.say("interrupted: keeping the best weights so far");
  if (was_interrupted() && checkpoint.is_there)
    bar.say(way_to_go_on(command.checkpoint.path, checkpoint));
  write_results(command, model, table, checkpoint);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  bar.say(summary(command, model, taken.count()));
}

}  // namespace

void add_train(CLI::App& app, const ForeignReader& read_foreign) {
  CLI::App* verb = app.add_subcommand("train", "Learn a model from a table");
  auto command = std::make_shared<TrainCommand>();
  command->training.data.read_foreign = read_foreign;
  add_options(*verb, *command);
  verb->callback([verb, command] { run(*verb, *command); });
}

}  // namespace softwood::cli
