#include "train/prepare/preparation.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/thread_team.h"
#include "options/option_texts.h"
#include "softwood/error.h"
#include "task/loss_budget.h"
#include "train/choices/member_plan.h"
#include "train/prepare/count_family.h"
#include "train/prepare/id_column.h"
#include "train/prepare/learnable_rows.h"
#include "train/prepare/response_words.h"
#include "train/prepare/table_account.h"
#include "train/warm/grown_members.h"
#include "train/warm/moved_responses.h"
#include "train/warm/new_classes.h"
#include "train/warm/new_columns.h"
#include "train/warm/warm_start.h"

namespace softwood {
namespace {

/// Whoever reads the model will compile its losses: what they may take is asked before training.
void add_task(const TaskOptions& options, const std::vector<const Table*>& tables,
              LossBudget& budget, Tasks& tasks) {
  const loss::StepMeter meter;
  Task task = make_task(options, tables);
  const bool is_known = std::any_of(tasks.begin(), tasks.end(),
                                    [&](const Task& other) { return have_same_loss(task, other); });
  if (!is_known) {
    budget.expect_room();
    budget.take(task.program, meter);
  }
  tasks.push_back(std::move(task));
}

Tasks make_tasks(const TrainOptions& options, const std::vector<const Table*>& tables) {
  Tasks tasks;
  LossBudget budget;
  for (const TaskOptions& task_options : options.tasks) {
    for (const Task& other : tasks) {
      if (other.target == task_options.target) {
        throw Error(fmt::format("'{}' is the target of two tasks.", other.target));
      }
    }
    add_task(task_options, tables, budget, tasks);
  }
  return tasks;
}

void tell_coded_labels(const Tasks& tasks, const NoteSink& note) {
  for (const Task& task : tasks) {
    if (task.labels.empty() || task.is_classifier()) continue;
    note(fmt::format("the loss '{}' needs numbers: '{}' of '{}' counts as 0, '{}' as 1",
                     task.program.source().name, task.labels[0], task.target, task.labels[1]));
  }
}

/// A loss of classes that has a cdf goes by their order, and texts have only that of the alphabet.
void tell_order_of_classes(const Tasks& tasks, const NoteSink& note) {
  for (const Task& task : tasks) {
    const bool ordered = task.program.uses_classes() && task.program.has_cdf();
    if (!ordered || task.target_kind == ColumnKind::numeric) continue;
    note(fmt::format(
        "the loss '{}' takes '{}' in this order: {}; for another one, number the classes",
        task.program.source().name, task.target, fmt::join(task.labels, " < ")));
  }
}

bool equal_but_for_case(const std::string& a, const std::string& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

/// Who has a column `event` and forgets (event=event) would learn from the very thing.
void tell_forgotten_settings(const Tasks& tasks, const Table& table,
                             std::span<const std::string> features, const NoteSink& note) {
  for (const Task& task : tasks) {
    for (const std::string& parameter : task.program.unset_parameters()) {
      for (const std::string& feature : features) {
        if (!equal_but_for_case(parameter, feature)) continue;
        if (table.column(feature).kind != ColumnKind::numeric) continue;
        note(fmt::format(
            "column '{}' is a feature; if the loss of '{}' is to read it, write {}({}={})", feature,
            task.target, task.program.source().name, parameter, feature));
      }
    }
  }
}

std::vector<Responses> read_all_responses(const Tasks& tasks, const Table& table) {
  std::vector<Responses> responses;
  for (const Task& task : tasks) responses.push_back(read_responses(task, table));
  return responses;
}

void find_all_units(Tasks& tasks, const Examples& training,
                    const std::function<void()>& stop_check) {
  for (std::size_t index = 0; index < tasks.size(); ++index) {
    try {
      tasks[index].units = find_units(tasks[index].program, training.responses[index].view(),
                                      training.weights, stop_check);
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      throw Error(fmt::format("target '{}': {}", tasks[index].target, error.what()));
    }
  }
}

/// Rows to learn from that have a response, in the mean over the tasks.
std::size_t responses_per_task(const Preparation& preparation) {
  std::size_t count = 0;
  for (const Responses& responses : preparation.responses) {
    for (const std::uint32_t row : preparation.learnable)
      count += std::isnan(responses.y[row]) ? 0 : 1;
  }
  return count / preparation.responses.size();
}

std::size_t most_folds(const TrainOptions& options, const Table& table,
                       std::span<const std::uint32_t> rows) {
  constexpr std::size_t kMostMembers = 100;
  if (options.keep_together.empty()) return kMostMembers;
  return std::min(kMostMembers, count_groups(rows, table.column(options.keep_together)));
}

/// Rows that some member learns from.
const std::vector<std::uint32_t>& all_training_rows(const Preparation& preparation) {
  return preparation.splits.size() == 1 ? preparation.splits[0].training : preparation.learnable;
}

Examples everything_to_learn(const Preparation& preparation) {
  Examples everything = select_examples(preparation.rows.view(), preparation.responses,
                                        preparation.weights, all_training_rows(preparation));
  Examples nothing;
  normalise_weights(everything, nothing);
  return everything;
}

TrainOptions with_members_of(const ModelParts& start, TrainOptions options) {
  if (options.fold_column.empty()) options.members = static_cast<int>(start.members.size());
  return options;
}

Settings settings_for(const Preparation& preparation, bool validates) {
  const std::size_t num_rows = preparation.splits[0].training.size();
  if (preparation.start == nullptr) return make_settings(preparation.options, num_rows, validates);
  if (preparation.num_added_trees > 0)
    return settings_for_added_trees(preparation.options, preparation.num_added_trees, num_rows,
                                    validates);
  return warm_settings(preparation.options, *preparation.start,
                       {.num_training = num_rows,
                        .validates = validates,
                        .has_old_ones = preparation.has_all_learned_rows(),
                        .has_new_classes = preparation.tasks.num_outputs() >
                                           preparation.start->tasks.num_outputs()});
}

/// Whoever expects rows to be known should hear that they are not.
void tell_learned_tables(const Preparation& preparation, const NoteSink& note) {
  std::size_t known = 0, fresh = 0;
  for (const TablePart& part : preparation.table_parts)
    (part.before != nullptr ? known : fresh) += part.count;
  note(fmt::format("{} rows that the model has learned from before, {} new ones", known, fresh));
}

void fit_encoder(Preparation& preparation, const Table& table, const TrainOptions& options,
                 std::span<const std::uint32_t> rows, const Words& words) {
  EncoderOptions encoding;
  encoding.features = choose_features(options, preparation.tasks, table);
  tell_forgotten_settings(preparation.tasks, table, encoding.features, words.warn);
  encoding.bins = preparation.settings.bins;
  encoding.fine_bins = preparation.settings.fine_bins;
  encoding.linear = preparation.settings.linear;
  encoding.threads = options.threads;
  // Responses and weights have been read.
  for (const Column& column : table.columns()) column.values.release();
  std::vector<std::string> ids;
  const auto look_for_id = [&](const Column& column) {
    const auto why = looks_like_id(column);
    if (!why) return;
    ids.push_back(fmt::format(
        "column '{0}' looks like an id ({1}), which tells nothing about new rows: --drop {0}",
        column.name, *why));
  };
  preparation.encoder =
      Encoder::fit_and_encode(table, rows, encoding, preparation.rows, look_for_id);
  words.note(table_account(table, preparation.encoder.left_out(), options.drop));
  for (const std::string& id : ids) words.warn(id);
}

/// Encoder and members of the model, grown by what is new in the table: what its trees know of a
/// column stays true.
void take_start(Preparation& preparation, ModelParts& start, const Table& table,
                const TrainOptions& options, const Words& words) {
  const Encoder old_encoder = start.encoder;
  const Tasks old_tasks = std::exchange(start.tasks, preparation.tasks);
  const std::vector<std::uint32_t>& training = all_training_rows(preparation);
  preparation.rows = start.encoder.encode(table, options.threads);
  const SeenRows seen{.table = table, .encoded = preparation.rows, .learnable = training};
  const bool has_levels = add_new_levels(start.encoder, seen, words);
  const bool has_columns =
      add_new_columns(start.encoder, start.tasks, options, preparation.settings,
                      preparation.num_added_trees > 0, seen, words);
  const bool has_classes = start.tasks.num_outputs() > old_tasks.num_outputs();
  if (has_levels || has_columns) preparation.rows = start.encoder.encode(table, options.threads);
  if (has_levels || has_columns || has_classes) grow_members(start, old_encoder, old_tasks);
  for (const Column& column : table.columns()) column.values.release();
  if (has_classes) {
    ThreadTeam team(preparation.settings.threads);
    find_offsets_of_new_classes(start, old_tasks, {preparation.rows.view(), training},
                                preparation.responses, team);
  }
  preparation.tasks = start.tasks;
  preparation.encoder = start.encoder;
  tell_learned_tables(preparation, words.note);
}

void read_own_validation(Preparation& preparation, const Table& table, const TrainOptions& options,
                         const NoteSink& note) {
  const std::vector<Responses> responses = read_all_responses(preparation.tasks, table);
  std::vector<double> weights = read_weights(options, table);
  const std::vector<std::uint32_t> all =
      learnable_rows(responses, table, options.weight, weights, note);
  check_row_count(options, all, table);
  preparation.validation_rows = preparation.encoder.encode(table, options.threads);
  preparation.own_validation =
      select_examples(preparation.validation_rows.view(), responses, weights, all);
}

void check_tables(const Table& table, const Table* validation, const TrainOptions& options) {
  const bool splits = !options.valid_column.empty() || !options.keep_together.empty() ||
                      options.valid_fraction || options.members.value_or(1) > 1 ||
                      !options.fold_column.empty();
  if (validation != nullptr && splits) {
    throw Error(
        "a validation table is given: leave out valid-column, keep-together, valid-fraction, "
        "members and "
        "fold-column.");
  }
  for (const Table* each : {&table, validation}) {
    if (each != nullptr && each->num_rows() == 0) {
      throw Error(fmt::format("{} has no rows.", each->origin));
    }
    if (each != nullptr) check_texts(*each);
  }
}

/// A model learns from some row.
void check_splits(const std::vector<Split>& splits, std::size_t num_rows,
                  const TrainOptions& options) {
  if (std::none_of(splits.begin(), splits.end(),
                   [](const Split& split) { return split.training.empty(); }))
    return;
  throw Error(
      options.valid_fraction
          ? fmt::format("valid-fraction {} of {} rows leaves none to learn from: make it smaller.",
                        *options.valid_fraction, num_rows)
          : fmt::format("all {} rows validate: none is left to learn from.", num_rows));
}

/// One after the other, so many times.
Examples repeated(const Examples& examples, std::size_t times) {
  const auto repeat = [times](auto& list) {
    const auto once = list;
    for (std::size_t k = 1; k < times; ++k) list.insert(list.end(), once.begin(), once.end());
  };
  Examples all = examples;
  repeat(all.rows);
  repeat(all.weights);
  for (Responses& responses : all.responses) {
    repeat(responses.y);
    for (std::vector<double>& column : responses.columns) repeat(column);
  }
  return all;
}

}  // namespace

TrainingAndValidation Preparation::sides(std::size_t member) const {
  const Split& split = splits[member];
  TrainingAndValidation sides;
  sides.training = select_examples(rows.view(), responses, weights, split.training);
  sides.validation = own_validation
                         ? *own_validation
                         : select_examples(rows.view(), responses, weights, split.validation);
  normalise_weights(sides.training, sides.validation);
  return sides;
}

Examples Preparation::judged() const {
  if (splits.size() == 1) return sides(0).validation;
  if (own_validation) return repeated(sides(0).validation, splits.size());
  std::vector<std::uint32_t> all;
  for (const Split& split : splits)
    all.insert(all.end(), split.validation.begin(), split.validation.end());
  Examples judged = select_examples(rows.view(), responses, weights, all);
  Examples nothing;
  normalise_weights(judged, nothing);
  return judged;
}

bool Preparation::has_all_learned_rows() const {
  return start != nullptr && !start->learned.empty() &&
         start->learned.size() ==
             static_cast<std::size_t>(std::ranges::count_if(
                 table_parts, [](const TablePart& part) { return part.before != nullptr; }));
}

std::vector<LearnedTable> Preparation::learned_tables() const {
  std::vector<LearnedTable> learned;
  if (start != nullptr) learned = start->learned;
  for (const TablePart& part : table_parts) {
    if (part.before == nullptr)
      learned.push_back(learned_table(responses, part.first, part.count, options.seed,
                                      own_validation.has_value()));
  }
  return learned;
}

Preparation prepare(const Table& table, const Table* validation, const TrainOptions& options,
                    const Words& words, const std::function<void()>& stop_check,
                    const WarmStart& start) {
  const auto check = [&] {
    if (stop_check) stop_check();
  };
  const NoteSink& note = words.note;
  check_tables(table, validation, options);
  Preparation preparation;
  std::vector<const Table*> tables = {&table};
  if (validation != nullptr) tables.push_back(validation);
  std::shared_ptr<ModelParts> grown;
  if (start.model != nullptr) grown = std::make_shared<ModelParts>(*start.model);
  preparation.start = grown;
  preparation.num_added_trees = start.num_added_trees;
  if (grown != nullptr) {
    preparation.tasks = grown->tasks;
    add_new_classes(preparation.tasks, tables, words);
  } else {
    preparation.tasks = make_tasks(options, tables);
    check_responses(options, preparation.tasks, table, words);
    tell_coded_labels(preparation.tasks, note);
    tell_order_of_classes(preparation.tasks, note);
  }
  preparation.responses = read_all_responses(preparation.tasks, table);
  check();
  preparation.weights = read_weights(options, table);
  preparation.learnable =
      learnable_rows(preparation.responses, table, options.weight, preparation.weights, note);
  check_row_count(options, preparation.learnable, table);
  std::span<const LearnedTable> learned;
  if (grown != nullptr) learned = grown->learned;
  preparation.table_parts = find_learned_tables(learned, preparation.responses, table.num_rows());
  preparation.options =
      grown != nullptr
          ? with_members_of(*grown, options)
          : settle_members(
                options, {.num_rows = responses_per_task(preparation),
                          .num_columns = choose_features(options, preparation.tasks, table).size(),
                          .has_validation_table = validation != nullptr,
                          .most_folds = most_folds(options, table, preparation.learnable)});
  preparation.splits =
      validation != nullptr
          ? std::vector<Split>(grown != nullptr ? grown->members.size() : 1,
                               {.training = preparation.learnable, .validation = {}})
      : grown != nullptr
          ? split_parts(preparation.options, preparation.table_parts, preparation.learnable, table)
          : split_rows(preparation.options, preparation.learnable, table);
  check_splits(preparation.splits, preparation.learnable.size(), options);
  check();
  const bool validates = validation != nullptr || !preparation.splits[0].validation.empty();
  preparation.settings = settings_for(preparation, validates);
  if (grown != nullptr) {
    take_start(preparation, *grown, table, options, words);
    warn_of_moved_responses(preparation.tasks, everything_to_learn(preparation), words, stop_check);
    if (validation != nullptr) read_own_validation(preparation, *validation, options, note);
    return preparation;
  }

  const std::vector<std::uint32_t>& training = all_training_rows(preparation);
  fit_encoder(preparation, table, options, training, words);
  check();
  const Examples everything = everything_to_learn(preparation);
  settle_counts(options, everything, preparation.tasks, note, stop_check);
  find_all_units(preparation.tasks, everything, stop_check);
  if (validation != nullptr) {
    read_own_validation(preparation, *validation, options, note);
  }
  return preparation;
}

}  // namespace softwood
