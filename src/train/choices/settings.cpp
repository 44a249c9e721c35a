#include "train/choices/settings.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "options/choices.h"
#include "train/choices/group_plan.h"
#include "train/choices/recipe.h"
#include "train/choices/sharing.h"
#include "tree/activation.h"

namespace softwood {
namespace {

/// Cycles of a run whose end is known or guessed, and the most of one that stops by itself.
constexpr int kUsualCycles = 4;
constexpr int kMostCycles = 6;

void set_group_rates(GroupSettings& group, const Rates& rates, const TrainOptions& options) {
  group.learning_rate = options.learning_rate.value_or(rates.splits);
  group.leaf_learning_rate =
      options.leaf_learning_rate.value_or(rates.leaves * group.learning_rate);
  group.decay = options.decay.value_or(rates.decay);
}

void set_groups(Settings& settings, const TrainOptions& options, std::size_t num_rows,
                bool validates) {
  const Recipe& recipe = recipe_named(options.recipe);
  GroupPlan plan = plan_groups(options);
  settings.groups = std::move(plan.groups);
  settings.has_linear = plan.has_linear;
  settings.one_group = keeps_one_group(options);
  settings.counts_trees = options.trees.has_value();
  settings.one_epoch_for_all = settings.counts_trees && options.tasks.size() > 1;
  if (settings.one_group && !validates) settings.groups.resize(1);  // nobody could choose
  set_rates(settings.groups, options, num_rows);
  if (has_narrow_trees(settings.groups) && !recipe.linear) {
    settings.fine_bins = options.fine_bins.value_or(default_fine_bins(num_rows));
  }
}

/// Cycles end on epochs, unless the user says how many epochs there are: the usual number of cycles
/// fills those.
void set_cycles(Settings& settings, const TrainOptions& options, bool validates) {
  if (settings.schedule.kind != Schedule::Kind::doubling) return;
  const auto steps = static_cast<int>(settings.steps_per_epoch);
  const int first = first_cycle_epochs(settings.steps_per_epoch);
  settings.cycle_epochs =
      options.epochs ? *options.epochs / static_cast<double>(cycle_lengths(kUsualCycles)) : first;
  settings.schedule.cycle_steps = settings.cycle_epochs * steps;
  // Without validation rows nobody says when to stop, and the usual number is a fair guess.
  if (!options.epochs)
    settings.epochs = first * cycle_lengths(validates ? kMostCycles : kUsualCycles);
}

}  // namespace

int first_cycle_epochs(std::size_t steps_per_epoch) {
  constexpr int kCycleSteps = 70;
  const auto steps = static_cast<int>(steps_per_epoch);
  return std::max(1, (kCycleSteps + steps - 1) / steps);
}

Settings make_settings(const TrainOptions& options, std::size_t num_training_rows, bool validates) {
  const Recipe& recipe = recipe_named(options.recipe);
  Settings settings;
  settings.linear = recipe.linear;
  settings.bins = options.bins.value_or(0);
  set_groups(settings, options, num_training_rows, validates);
  settings.depth = options.depth.value_or(recipe.depth);
  settings.activation = activation_named(options.activation.value_or(recipe.activation));
  settings.gamma = static_cast<float>(options.gamma.value_or(1));
  settings.columns_per_tree = options.columns_per_tree;
  set_sharing(settings, options);

  const auto by_recipe = static_cast<int>(default_batch_size(recipe, num_training_rows));
  settings.batch_size =
      std::clamp<std::size_t>(options.batch_size.value_or(by_recipe), 1, num_training_rows);
  settings.steps_per_epoch = (num_training_rows + settings.batch_size - 1) / settings.batch_size;
  const int enough_epochs = static_cast<int>((recipe.least_steps + settings.steps_per_epoch - 1) /
                                             settings.steps_per_epoch);
  settings.epochs = options.epochs.value_or(std::max(recipe.epochs, enough_epochs));
  settings.epochs_are_given = options.epochs.has_value();

  settings.schedule.kind = schedule_kind(options.schedule.value_or(recipe.schedule));
  settings.schedule.warm_up_steps = static_cast<std::size_t>(
      std::llround(options.warm_up.value_or(0) * static_cast<double>(settings.steps_per_epoch)));
  set_cycles(settings, options, validates);
  settings.average = options.average.value_or(recipe.average);
  settings.l2_splits = options.l2_splits;
  settings.l2_leaves = options.l2_leaves;
  settings.clip = options.clip;
  settings.patience = options.patience.value_or(recipe.patience);
  settings.keep_loss = options.keep_loss.value_or(recipe.keep_loss);
  settings.balances = options.balance.value_or(recipe.balances);
  settings.beta2 = recipe.beta2;
  settings.seed = options.seed;
  settings.threads = options.threads;
  return settings;
}

void set_rates(std::vector<GroupSettings>& groups, const TrainOptions& options,
               std::size_t num_training_rows) {
  const Recipe& recipe = recipe_named(options.recipe);
  for (GroupSettings& group : groups)
    set_group_rates(group, default_rates(recipe, group.is_narrow, num_training_rows), options);
}

void keep_steps(Settings& settings, std::size_t num_training_rows) {
  settings.batch_size = std::max<std::size_t>(
      1, (num_training_rows + settings.steps_per_epoch - 1) / settings.steps_per_epoch);
}

Settings settings_for_member(const Settings& first, std::uint64_t seed, std::size_t member,
                             std::size_t num_training_rows) {
  Settings settings = first;
  settings.seed = RandomStream(seed, "member").bits(member);
  keep_steps(settings, num_training_rows);
  return settings;
}

Settings settings_for_private_group(const TrainOptions& options, const Settings& shared,
                                    std::size_t num_training_rows, bool validates) {
  Settings settings =
      make_settings(options, std::max<std::size_t>(num_training_rows, 1), validates);
  settings.seed = shared.seed;
  settings.threads = shared.threads;
  settings.couples_tasks = settings.couples_tasks && settings.separate_components;
  return settings;
}

}  // namespace softwood
