#include "train/warm/warm_start.h"

#include <algorithm>
#include <cmath>

#include "softwood/error.h"
#include "train/choices/group_plan.h"
#include "train/start/column_bases.h"

namespace softwood {
namespace {

/// Of a first training's length and rates; how they were chosen: docs/warm_start.md.
constexpr double kShareOfLength = 0.2;
constexpr double kShareOfRate = 1.5, kShareOfRateWithoutOldRows = 0.3;
/// In lengths of a first training's first cycle.
constexpr double kLeastLength = 2, kMostLength = 6;

bool are_same_groups(const std::vector<OldGroup>& one, const std::vector<OldGroup>& other) {
  return std::ranges::equal(one, other, [](const OldGroup& a, const OldGroup& b) {
    return a.group.is_narrow == b.group.is_narrow && a.group.learns_rest == b.group.learns_rest &&
           a.task == b.task;
  });
}

/// How long the model was trained, in lengths of the first cycle; 0: it does not tell.
double length_of_training(const ModelParts& start) {
  const MemberRecord& record = start.members[0].record;
  if (record.groups.empty() || record.num_training_rows == 0) return 0;
  const auto rows = static_cast<double>(record.num_training_rows);
  double steps = 1;  // an epoch; a linear part has none
  for (const GroupRecord& group : record.groups)
    steps = std::max(steps, std::ceil(rows / std::max(1.0, static_cast<double>(group.batch_size))));
  return static_cast<double>(record.history.size()) /
         first_cycle_epochs(static_cast<std::size_t>(steps));
}

/// `first_cycle`: its epochs, of the rows at hand; so a few new rows have as many steps as many.
int warm_epochs(const ModelParts& start, double first_cycle) {
  const double length =
      std::clamp(length_of_training(start) * kShareOfLength, kLeastLength, kMostLength);
  return static_cast<int>(std::ceil(length * first_cycle));
}

/// The weights of the blend were found on many rows, and few new ones do not outvote those.
void stand_on_lost_rows(Settings& settings, const ModelParts& start,
                        const std::vector<OldGroup>& groups) {
  settings.stands_on_lost_rows = true;
  const MemberRecord& record = start.members[0].record;
  for (const Task& task : start.tasks) {
    std::vector<double>& usual = settings.usual_weights.emplace_back();
    for (const OldGroup& group : groups) usual.push_back(group.weights[task.index_in_model]);
    if (!settings.has_linear) continue;
    double own = tells_groups(record) ? 0 : 1;
    for (const GroupRecord& group : record.groups) {
      if (group.kind == GroupKind::linear && tells_groups(record))
        own = group.shares[task.index_in_model].weight;
    }
    usual.push_back(own);
  }
  for (const Member& member : start.members)
    settings.pull_rows += static_cast<double>(member.record.num_validation_rows);
}

/// A handful of rows is learned by heart, and takes what the model knows with it.
void expect_a_judge(const TrainOptions& options, const ModelParts& start, const WarmRows& rows) {
  if (rows.validates || options.epochs || start.members[0].record.num_validation_rows == 0) return;
  throw Error(
      "these rows alone are too few to train on with: some must validate. Give the rows that the "
      "model has learned from before, too, validation rows (--valid), or --epochs.");
}

}  // namespace

std::vector<std::vector<OldGroup>> groups_to_train_on(const ModelParts& start) {
  std::vector<std::vector<OldGroup>> groups;
  for (const Member& member : start.members) {
    groups.push_back(old_groups(member, start.tasks));
    if (groups.back().empty())
      throw Error("the model to start from has no trees to train on: --add-trees N gives it some.");
    if (!are_same_groups(groups.front(), groups.back()) ||
        member.linear.has_value() != start.members[0].linear.has_value())
      throw Error("the members of the model to start from have trees of different kinds.");
  }
  return groups;
}

Settings warm_settings(const TrainOptions& options, const ModelParts& start, const WarmRows& rows) {
  expect_a_judge(options, start, rows);
  Settings settings = make_settings(options, rows.num_training, rows.validates);
  settings.groups.clear();
  const std::vector<std::vector<OldGroup>> groups = groups_to_train_on(start);
  for (const OldGroup& old : groups.front()) settings.groups.push_back(old.group);
  set_rates(settings.groups, options, rows.num_training);
  const double share =
      rows.has_old_ones || rows.has_new_classes ? kShareOfRate : kShareOfRateWithoutOldRows;
  if (!options.learning_rate) {
    for (GroupSettings& group : settings.groups) {
      group.learning_rate *= share;
      if (!options.leaf_learning_rate) group.leaf_learning_rate *= share;
    }
  }
  settings.has_linear = start.members[0].linear.has_value();
  settings.one_group = false;
  settings.couples_tasks = false;
  settings.separate_components = false;
  settings.starts_warm = true;
  if (!rows.has_old_ones) stand_on_lost_rows(settings, start, groups.front());
  if (!options.schedule) {
    settings.schedule.kind = Schedule::Kind::cosine;
    settings.cycle_epochs = 0;
    if (!options.epochs)
      settings.epochs = warm_epochs(start, first_cycle_epochs(settings.steps_per_epoch));
    settings.epochs_are_given = true;  // there is no other end
  }
  return settings;
}

Settings settings_for_added_trees(const TrainOptions& options, std::size_t num_trees,
                                  std::size_t num_rows, bool validates) {
  Settings settings = make_settings(options, num_rows, validates);
  settings.groups = share_out_trees(static_cast<int>(num_trees), 1);
  if (num_trees < static_cast<std::size_t>(kLeastTreesToShare))
    settings.groups.erase(settings.groups.begin());
  for (GroupSettings& group : settings.groups) group.learns_rest = true;
  set_rates(settings.groups, options, num_rows);
  settings.has_linear = false;
  settings.one_group = false;
  settings.counts_trees = true;
  settings.couples_tasks = false;
  settings.separate_components = false;
  return settings;
}

std::vector<PreparedGroup> warm_groups(const Settings& settings, const Preparation& preparation,
                                       const Member& member, const std::vector<OldGroup>& groups,
                                       const ChosenRows& training) {
  const std::vector<ColumnBasis> columns = column_bases(preparation.encoder, training);
  std::vector<PreparedGroup> prepared;
  for (std::size_t index = 0; index < groups.size(); ++index) {
    const OldGroup& old = groups[index];
    Tasks own = old.task ? preparation.tasks.only(*old.task) : preparation.tasks;
    InitialTrees trees = trees_of(old, member, preparation.tasks, own, columns);
    prepared.push_back({settings, settings.groups[index], std::move(own), std::move(trees)});
  }
  return prepared;
}

Member with_added_trees(const Member& old, const Tasks& tasks,
                        const std::vector<double>& old_weights, Member added) {
  EnsembleShape shape = old.ensemble.shape();
  AlignedVector<float> values = old.values;
  std::optional<LinearPart> linear = old.linear;
  MemberRecord record = added.record;
  record.groups = old.record.groups;
  record.group_of_bundle = old.record.group_of_bundle;
  for (const Task& task : tasks) {
    const double weight = old_weights[task.index_in_model];
    scale_leaves(old.ensemble, task.first_output, task.num_outputs(), weight, values);
    if (linear) linear->scale(task.first_output, task.num_outputs(), weight);
    for (GroupRecord& group : record.groups) group.shares[task.index_in_model].weight *= weight;
  }
  const EnsembleShape& more = added.ensemble.shape();
  shape.bundles.insert(shape.bundles.end(), more.bundles.begin(), more.bundles.end());
  values.insert(values.end(), added.values.begin(), added.values.end());
  // A model that does not tell its groups tells none of the new ones either.
  if (!old.record.groups.empty()) {
    const auto first = static_cast<std::uint32_t>(record.groups.size());
    for (GroupRecord group : added.record.groups) {
      if (group.kind == GroupKind::linear) continue;  // it stands for the old trees
      group.learns_rest = false;
      group.was_added = true;
      record.groups.push_back(std::move(group));
    }
    for (const std::uint32_t group : added.record.group_of_bundle)
      record.group_of_bundle.push_back(first + group);
  } else {
    record.group_of_bundle.clear();
  }
  added.ensemble = Ensemble(std::move(shape));
  added.values = std::move(values);
  added.linear = std::move(linear);
  added.record = std::move(record);
  return added;
}

}  // namespace softwood
