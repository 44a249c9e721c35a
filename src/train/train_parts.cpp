#include "train/train_parts.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/simd_target.h"
#include "base/thread_team.h"
#include "model/prediction_bases.h"
#include "softwood/error.h"
#include "task/raw_outputs.h"
#include "train/choices/validate.h"
#include "train/descent/examples_loss.h"
#include "train/descent/trainer.h"
#include "train/finish/balance.h"
#include "train/member_hooks.h"
#include "train/prepare/preparation.h"
#include "train/start/prepared_group.h"
#include "train/stop_check.h"
#include "tree/tree_sums.h"

namespace softwood {
namespace {

/// What became of the groups, for one task: "48 wide (best epoch 37, weight 0.41), 48 own narrow
/// …".
std::string account_of_groups(const std::vector<GroupOutcome>& outcomes, std::size_t task) {
  std::vector<std::string> parts;
  for (const GroupOutcome& outcome : outcomes) {
    const GroupOutcome::Share& share = outcome.shares[task];
    if (!share.takes_part) continue;
    parts.push_back(
        fmt::format("{}{} {} ({}weight {:.2f})", outcome.num_trees,
                    outcome.is_private ? " own" : "", group_kind_name(outcome.kind),
                    share.best_epoch == 0 ? "" : fmt::format("best epoch {}, ", share.best_epoch),
                    share.weight));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// A line for every task.
void tell_groups(const std::vector<GroupOutcome>& outcomes, const Tasks& tasks,
                 const std::string& prefix, const NoteSink& note) {
  for (const Task& task : tasks) {
    const std::string whose = tasks.size() == 1 ? "" : fmt::format(" of '{}'", task.target);
    note(fmt::format("{}trees{}: {}", prefix, whose,
                     account_of_groups(outcomes, task.index_in_model)));
  }
}

/// What people have read as the best loss is not quite the model's any more.
void tell_balance(const std::vector<double>& before, const std::vector<double>& after,
                  const Tasks& tasks, const std::string& prefix, const NoteSink& note) {
  for (std::size_t task = 0; task < after.size(); ++task) {
    const std::string was = fmt::format("{:.5g}", before[task]);
    const std::string is = fmt::format("{:.5g}", after[task]);
    const std::string whose = tasks.size() == 1 ? "" : fmt::format(" of '{}'", tasks[task].target);
    if (was == is) continue;
    note(
        fmt::format("{}offsets{} fitted once more to all rows, so that predictions are right on "
                    "average: validation loss {} instead of {}",
                    prefix, whose, is, was));
  }
}

/// A member and what is told about its training.
struct TrainedMember {
  Member member;
  std::vector<double> losses_before_balance;
  bool has_learned = false;  ///< from every row at least once
};

/// Per task; empty if there are no rows.
std::vector<double> member_losses(const Tasks& tasks, const Member& member,
                                  const Examples& examples, ThreadTeam& team) {
  if (examples.size() == 0) return {};
  std::vector<double> g = tree_sums(member.ensemble, member.values, examples.chosen(), team);
  return mean_losses(tasks, examples, in_units(tasks, member.offset, std::move(g)));
}

/// The same trees as a file would give them back: training's slopes and means are left behind.
Ensemble for_prediction(const Ensemble& trained, const Encoder& encoder) {
  EnsembleShape shape = trained.shape();
  shape.columns = prediction_bases(encoder);
  return Ensemble(std::move(shape));
}

TrainedMember train_member(const Settings& settings, const TrainOptions& options,
                           const Preparation& preparation, const TrainingAndValidation& sides,
                           const Hooks& hooks) {
  Trainer trainer(settings, preparation.tasks,
                  prepare_groups(settings, options, preparation, sides, make_stop_check(hooks)),
                  sides.training, sides.validation, hooks);
  trainer.run();
  BlendedTrees blended = trainer.blended();
  Member member{.ensemble = for_prediction(blended.ensemble, preparation.encoder),
                .values = std::move(blended.values),
                .offset = constant_offsets(preparation.tasks),
                .best_epoch = trainer.best_epoch(),
                .record = {.seed = settings.seed,
                           .num_training_rows = sides.training.size(),
                           .num_validation_rows = sides.validation.size(),
                           .was_stopped = !trainer.is_finished(),
                           .validation_losses = {},
                           .groups = trainer.outcomes(),
                           .group_of_bundle = std::move(blended.group_of_bundle),
                           .history = trainer.history()}};
  ThreadTeam team(settings.threads);
  if (settings.balances) {
    member.offset = balanced_offsets(preparation.tasks, member.ensemble, member.values,
                                     sides.training, sides.validation, team);
  }
  member.record.validation_losses =
      member_losses(preparation.tasks, member, sides.validation, team);
  return {.member = std::move(member),
          .losses_before_balance = trainer.validation_losses(),
          .has_learned = trainer.whole_epochs() > 0};
}

Settings member_settings(const Preparation& preparation, const TrainOptions& options,
                         std::size_t member, int threads) {
  if (preparation.splits.size() == 1) return preparation.settings;
  return settings_for_member(options, member, preparation.splits[member].training.size(), threads);
}

std::vector<TrainedMember> train_members(const Preparation& preparation,
                                         const TrainOptions& options, const Hooks& hooks) {
  const std::size_t count = preparation.splits.size();
  const int available = ThreadTeam::resolve(preparation.settings.threads);
  const int at_once = std::min(available, static_cast<int>(count));
  MemberHooks shared(hooks, count);
  std::vector<std::optional<TrainedMember>> trained(count);
  ThreadTeam team(at_once);
  team.for_each(count, [&](std::size_t member) {
    // Who has not begun when the user says stop never begins; the first always does.
    if (member > 0 && shared.stopped()) return;
    const Settings settings = member_settings(preparation, options, member, available / at_once);
    try {
      trained[member] = train_member(settings, options, preparation, preparation.sides(member),
                                     shared.of(member));
    } catch (const Stopped&) {
      return;  // it has nothing to keep
    }
  });
  std::vector<TrainedMember> members;
  for (std::optional<TrainedMember>& each : trained) {
    if (each && each->has_learned) members.push_back(std::move(*each));
  }
  if (members.empty() && !trained[0]) throw Stopped();
  if (members.empty()) members.push_back(std::move(*trained[0]));
  return members;
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

}  // namespace

ModelParts train_parts(const Table& table, const Table* validation, const TrainOptions& options,
                       const Hooks& hooks) {
  choose_simd_target();
  validate(options);
  const auto sink = [](const NoteSink& hook) {
    return hook ? hook : NoteSink([](const std::string&) {});
  };
  const Words words{.note = sink(hooks.on_note), .warn = sink(hooks.on_warning)};
  const NoteSink& note = words.note;
  Preparation preparation = prepare(table, validation, options, words, make_stop_check(hooks));
  std::vector<TrainedMember> trained = train_members(preparation, options, hooks);
  ModelParts parts;
  for (TrainedMember& each : trained) {
    const std::string prefix =
        trained.size() == 1 ? "" : fmt::format("member {}: ", parts.members.size() + 1);
    MemberRecord& record = each.member.record;
    if (record.groups.size() > 1) tell_groups(record.groups, preparation.tasks, prefix, note);
    tell_balance(each.losses_before_balance, record.validation_losses, preparation.tasks, prefix,
                 note);
    for (EpochResult& result : record.history)
      result.member = static_cast<int>(parts.members.size()) + 1;
    parts.members.push_back(std::move(each.member));
  }
  if (trained.size() == preparation.splits.size()) parts.folds = folds_of(preparation);
  parts.encoder = std::move(preparation.encoder);
  parts.tasks = std::move(preparation.tasks);
  parts.options = options;
  return parts;
}

}  // namespace softwood
