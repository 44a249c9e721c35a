#include "train/train_parts.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/out_of_memory.h"
#include "base/simd_target.h"
#include "model/model_access.h"
#include "softwood/error.h"
#include "train/checkpoint/checkpoints.h"
#include "train/choices/validate.h"
#include "train/prepare/preparation.h"
#include "train/stop_check.h"
#include "train/trained_members.h"
#include "train/warm/warm_options.h"

namespace softwood {
namespace {

/// "48 wide (best epoch 37, weight 0.41)", "24 own narrow …", "linear (weight 0.2)".
std::string account_of_group(const GroupRecord& group, const GroupRecord::Share& share) {
  std::vector<std::string> words;
  if (group.kind != GroupKind::linear) words.push_back(std::to_string(group.num_trees));
  if (group.is_private) words.emplace_back("own");
  words.emplace_back(group_kind_name(group.kind));
  if (group.learns_rest) words.emplace_back("on top of linear");
  const std::string epoch =
      share.best_epoch == 0 ? "" : fmt::format("best epoch {}, ", share.best_epoch);
  return fmt::format("{} ({}weight {:.2f})", fmt::join(words, " "), epoch, share.weight);
}

/// What became of the groups, for one task.
std::string account_of_groups(const std::vector<GroupRecord>& groups, std::size_t task) {
  std::vector<std::string> parts;
  for (const GroupRecord& group : groups) {
    const GroupRecord::Share& share = group.shares[task];
    if (share.takes_part) parts.push_back(account_of_group(group, share));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// A line for every task.
void tell_groups(const std::vector<GroupRecord>& outcomes, const Tasks& tasks,
                 const NoteSink& note) {
  for (const Task& task : tasks) {
    const std::string whose = tasks.size() == 1 ? "" : fmt::format(" of '{}'", task.target);
    note(fmt::format("trees{}: {}", whose, account_of_groups(outcomes, task.index_in_model)));
  }
}

/// What people have read as the best loss is not quite the model's any more. `what`: "offsets{} …".
void tell_change(const char* what, const std::vector<double>& before,
                 const std::vector<double>& after, const Tasks& tasks, const NoteSink& note) {
  for (std::size_t task = 0; task < after.size(); ++task) {
    const std::string was = fmt::format("{:.5g}", before[task]);
    const std::string is = fmt::format("{:.5g}", after[task]);
    const std::string whose = tasks.size() == 1 ? "" : fmt::format(" of '{}'", tasks[task].target);
    if (was == is) continue;
    note(fmt::format(fmt::runtime(what), whose) +
         fmt::format(": validation loss {} instead of {}", is, was));
  }
}

/// A row that stands in several folds (it weighs more than one) has been learned by all.
std::vector<std::int32_t> folds_of(const Preparation& preparation) {
  constexpr std::int32_t kNone = -1, kSeveral = -2;
  std::vector<std::int32_t> folds(preparation.rows.num_rows, kNone);
  for (std::size_t member = 0; member < preparation.splits.size(); ++member) {
    const auto fold = static_cast<std::int32_t>(member);
    for (const std::uint32_t row : preparation.splits[member].validation)
      folds[row] = folds[row] == kNone || folds[row] == fold ? fold : kSeveral;
  }
  std::replace(folds.begin(), folds.end(), kSeveral, kNone);
  return folds;
}

WarmStart start_of(const TrainingInput& input) {
  if (input.add_trees < 0) throw Error("add-trees must be 1 or more.");
  if (input.start_from == nullptr && input.add_trees > 0)
    throw Error("add-trees adds to a model: name it with start-from.");
  if (input.start_from == nullptr) return {};
  return {.model = &ModelAccess::parts(*input.start_from),
          .num_added_trees = static_cast<std::size_t>(input.add_trees)};
}

/// A validation table now takes the place of the folds and shares that the model was made with.
TrainOptions with_validation_table(TrainOptions options, const TrainOptions& given) {
  options.members = given.members;
  options.valid_fraction = given.valid_fraction;
  options.keep_together = given.keep_together;
  options.valid_column = given.valid_column;
  options.fold_column = given.fold_column;
  return options;
}

/// Rows that come later may lack what only the first table had: columns that nothing but their role
/// asks for, unless the user names them now.
TrainOptions without_absent_columns(TrainOptions options, const TrainOptions& given,
                                    const Table& table) {
  const auto is_absent = [&](const std::string& name) { return table.find(name) == nullptr; };
  std::erase_if(options.drop, [&](const std::string& name) {
    return is_absent(name) && std::ranges::find(given.drop, name) == given.drop.end();
  });
  if (given.weight.empty() && is_absent(options.weight)) options.weight.clear();
  if (given.keep_together.empty() && is_absent(options.keep_together))
    options.keep_together.clear();
  if (given.valid_column.empty() && is_absent(options.valid_column)) options.valid_column.clear();
  return options;
}

/// The trees that there are read their columns, whatever is said now.
void expect_columns_to_stay(const Encoder& encoder, const TrainOptions& given) {
  for (const EncodedColumn& column : encoder.columns()) {
    if (std::ranges::find(given.drop, column.source) == given.drop.end()) continue;
    throw Error(fmt::format(
        "--drop names '{}', which the model to start from reads: leave it out, or train "
        "a new model.",
        column.source));
  }
}

TrainOptions options_from(const WarmStart& start, const TrainingInput& input,
                          const TrainOptions& given) {
  expect_columns_to_stay(start.model->encoder, given);
  TrainOptions options =
      without_absent_columns(warm_options(start.model->options, given), given, *input.table);
  return input.validation == nullptr ? options : with_validation_table(options, given);
}

Preparation prepare_within_memory(const TrainingInput& input, const TrainOptions& options,
                                  const Words& words, const Hooks& hooks, const WarmStart& start) {
  return name_lack_of_memory(fmt::format("the {} columns of {} rows are encoded",
                                         input.table->columns().size(), input.table->num_rows()),
                             "leave out columns (--drop), or train on fewer rows", [&] {
                               return prepare(*input.table, input.validation, options, words,
                                              make_stop_check(hooks), start);
                             });
}

TrainedMembers train_within_memory(const Preparation& preparation, Checkpoints& checkpoints,
                                   const Hooks& hooks) {
  const std::size_t num_outputs = preparation.tasks.num_outputs();
  return name_lack_of_memory(
      fmt::format("trees are trained on {} columns of {} rows for {} output{}",
                  preparation.rows.num_columns, preparation.rows.num_rows, num_outputs,
                  num_outputs == 1 ? "" : "s"),
      "try fewer --trees, a smaller --depth, fewer --members or fewer columns",
      [&] { return train_members(preparation, checkpoints, hooks); });
}

}  // namespace

ModelParts train_parts(const TrainingInput& input, const TrainOptions& given, const Hooks& hooks) {
  choose_simd_target();
  const WarmStart start = start_of(input);
  const TrainOptions options = start.model == nullptr ? given : options_from(start, input, given);
  validate(options);
  const auto sink = [](const NoteSink& hook) {
    return hook ? hook : NoteSink([](const std::string&) {});
  };
  const Words words{.note = sink(hooks.on_note), .warn = sink(hooks.on_warning)};
  const NoteSink& note = words.note;
  Checkpoints checkpoints(
      input.checkpoint, options, words, hooks.on_checkpoint ? hooks.on_checkpoint : [](bool) {});
  Preparation preparation = prepare_within_memory(input, options, words, hooks, start);
  TrainedMembers trained = train_within_memory(preparation, checkpoints, hooks);
  const MemberRecord& record = trained.members[0].record;
  if (record.groups.size() > 1) tell_groups(record.groups, preparation.tasks, note);
  tell_change("knots that the curves{} can spare left out", trained.losses_before_thinning,
              trained.losses_before_balance, preparation.tasks, note);
  tell_change("offsets{} fitted once more to all rows, so that predictions are right on average",
              trained.losses_before_balance, trained.losses, preparation.tasks, note);
  ModelParts parts;
  parts.members = std::move(trained.members);
  parts.folds = folds_of(preparation);
  parts.learned = preparation.learned_tables();
  parts.encoder = std::move(preparation.encoder);
  parts.tasks = std::move(preparation.tasks);
  parts.options = options;
  return parts;
}

}  // namespace softwood
