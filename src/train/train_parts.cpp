#include <cmath>

#include <fmt/format.h>
#include <unistd.h>

#include "base/simd_target.h"
#include "softwood/error.h"
#include "train/examples.h"
#include "train/model_parts.h"
#include "train/planting.h"
#include "train/settings.h"
#include "train/trainer.h"

namespace softwood {
namespace {

void check_table(const Table& table) {
  if (table.num_rows() == 0) throw Error(fmt::format("{} has no rows.", table.origin));
}

std::vector<Task> make_tasks(const TrainOptions& options, const std::vector<const Table*>& tables) {
  std::vector<Task> tasks;
  std::size_t next_output = 0;
  for (const TaskOptions& task_options : options.tasks) {
    for (const Task& other : tasks) {
      if (other.target == task_options.target) {
        throw Error(fmt::format("'{}' is the target of two tasks.", other.target));
      }
    }
    Task& task = tasks.emplace_back(make_task(task_options, tables));
    task.first_output = next_output;
    next_output += task.num_outputs();
  }
  return tasks;
}

std::vector<Responses> read_all_responses(const std::vector<Task>& tasks, const Table& table) {
  std::vector<Responses> responses;
  for (const Task& task : tasks) responses.push_back(read_responses(task, table));
  return responses;
}

void find_all_units(std::vector<Task>& tasks, const Examples& training) {
  for (std::size_t index = 0; index < tasks.size(); ++index) {
    try {
      tasks[index].units =
          find_units(tasks[index].program, training.tasks[index].view(), training.weights);
    } catch (const Error& error) {
      throw Error(fmt::format("target '{}': {}", tasks[index].target, error.what()));
    }
  }
}

std::vector<ColumnBasis> column_bases(const Encoder& encoder, const Rows& rows) {
  std::vector<ColumnBasis> bases;
  for (std::size_t column = 0; column < encoder.columns().size(); ++column) {
    bases.push_back(column_basis(encoder.columns()[column], rows.view().row(column)));
  }
  return bases;
}

struct Prepared {
  Encoder encoder;
  Settings settings;
  Examples training, validation;
};

/// With a table of its own, every row of it that has a response validates.
Split split_with_own_validation(const TrainOptions& options,
                                const std::vector<Responses>& responses, const Table& table,
                                const NoteSink& note) {
  TrainOptions no_split = options;
  no_split.valid_fraction = 0;
  no_split.valid_column.clear();
  no_split.group.clear();
  return split_rows(no_split, responses, table, note);
}

Prepared prepare(const Table& table, const Table* validation, const TrainOptions& options,
                 const std::vector<Task>& tasks, const NoteSink& note) {
  const std::vector<Responses> responses = read_all_responses(tasks, table);
  const std::vector<double> weights = read_weights(options, table);
  const Split split = validation != nullptr
                          ? split_with_own_validation(options, responses, table, note)
                          : split_rows(options, responses, table, note);
  Prepared prepared;
  prepared.settings = make_settings(options, split.training.size());
  EncoderOptions encoding;
  encoding.features = choose_features(options, tasks, table);
  encoding.bins = prepared.settings.bins;
  encoding.linear = prepared.settings.linear;
  prepared.encoder = Encoder::fit(table, split.training, encoding);
  for (const std::string& line : prepared.encoder.notes()) note(line);

  const Rows rows = prepared.encoder.encode(table, options.threads);
  prepared.training = select_examples(rows, responses, weights, split.training);
  if (validation == nullptr) {
    prepared.validation = select_examples(rows, responses, weights, split.validation);
  } else {
    const std::vector<Responses> own = read_all_responses(tasks, *validation);
    const Split all = split_with_own_validation(options, own, *validation, note);
    prepared.validation = select_examples(prepared.encoder.encode(*validation, options.threads),
                                          own, read_weights(options, *validation), all.training);
  }
  normalise_weights(prepared.training, prepared.validation);
  return prepared;
}

/// Training keeps eight numbers per weight (parameters, gradients, moments, averages, curves).
/// Better to say that they do not fit than to be ended by the system.
void check_memory(const Settings& settings, const std::vector<ColumnBasis>& columns) {
  double weights_per_split = 1;
  for (const ColumnBasis& column : columns) {
    weights_per_split += static_cast<double>(column.num_parameters());
  }
  if (settings.columns_per_tree > 0 && settings.columns_per_tree < columns.size()) {
    weights_per_split *=
        static_cast<double>(settings.columns_per_tree) / static_cast<double>(columns.size());
  }
  const double splits = std::ldexp(static_cast<double>(settings.num_trees), settings.depth);
  const double needed = splits * weights_per_split * 8 * sizeof(float);
  const double there =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  if (needed <= 0.8 * there) return;
  throw Error(
      fmt::format("{} trees of depth {} on {} columns need {:.0f} GB to train, and the machine has "
                  "{:.0f}. Use fewer --trees, a smaller --depth, fewer --bins or columns.",
                  settings.num_trees, settings.depth, columns.size(), needed / 1e9, there / 1e9));
}

}  // namespace

ModelParts train_parts(const Table& table, const Table* validation, const TrainOptions& options,
                       const Hooks& hooks) {
  choose_simd_target();
  validate(options);
  check_table(table);
  std::vector<const Table*> tables = {&table};
  if (validation != nullptr) {
    if (!options.valid_column.empty() || !options.group.empty() || options.valid_fraction) {
      throw Error("a validation table is given: leave out valid-column, group and valid-fraction.");
    }
    check_table(*validation);
    tables.push_back(validation);
  }
  const NoteSink note = [&](const std::string& line) {
    if (hooks.on_note) hooks.on_note(line);
  };

  std::vector<Task> tasks = make_tasks(options, tables);
  for (const Task& task : tasks) {
    if (task.labels.empty() || task.is_classifier()) continue;
    note(fmt::format("the loss '{}' needs numbers: '{}' of '{}' counts as 0, '{}' as 1",
                     task.program.source().name, task.labels[0], task.target, task.labels[1]));
  }
  Prepared prepared = prepare(table, validation, options, tasks, note);
  find_all_units(tasks, prepared.training);
  std::vector<ColumnBasis> columns = column_bases(prepared.encoder, prepared.training.rows);
  check_memory(prepared.settings, columns);
  Ensemble ensemble(plan_ensemble(prepared.settings, std::move(columns),
                                  tasks.back().first_output + tasks.back().num_outputs()));
  Trainer trainer(prepared.settings, tasks, ensemble, prepared.training, prepared.validation,
                  hooks);
  trainer.run();
  return {.encoder = std::move(prepared.encoder),
          .tasks = std::move(tasks),
          .ensemble = ensemble,
          .values = std::move(trainer.best_values()),
          .options = options,
          .best_epoch = trainer.best_epoch(),
          .history = trainer.history()};
}

}  // namespace softwood
