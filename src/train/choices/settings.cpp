#include "train/choices/settings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "softwood/error.h"
#include "train/choices/group_plan.h"
#include "train/choices/sharing.h"
#include "tree/activation.h"

namespace softwood {
namespace {

void expect(bool fine, const char* name, double value, const char* range) {
  if (!fine) throw Error(fmt::format("{} is {}, but must be {}.", name, value, range));
}

template <class T>
void expect_at_least(const char* name, T value, T least) {
  expect(value >= least, name, static_cast<double>(value),
         fmt::format("at least {}", least).c_str());
}

template <class T>
void expect_at_least(const char* name, const std::optional<T>& value, T least) {
  if (value) expect_at_least(name, *value, least);
}

/// Rates: positive and finite.
void expect_positive(const char* name, const std::optional<double>& value) {
  if (value) expect(*value > 0 && std::isfinite(*value), name, *value, "positive");
}

/// Penalties: zero or more, finite.
void expect_not_negative(const char* name, const std::optional<double>& value) {
  if (value) expect(*value >= 0 && std::isfinite(*value), name, *value, "zero or more");
}

std::size_t default_batch_size(std::size_t num_rows) {
  if (num_rows < 1500) return 32;
  if (num_rows < 3000) return 64;
  if (num_rows < 12000) return 128;
  if (num_rows <= 100000) return 256;
  return 1024;
}

/// Steps of one kind of trees.
struct Rates {
  double splits;
  double leaves;  ///< as a part of the splits'
  double decay;
};

/// What a recipe says where the user says nothing.
struct Recipe {
  bool linear;
  int trees, num_narrow_groups, depth;
  const char* activation;
  int epochs, least_steps, patience;
  std::size_t batch_size;  ///< 0 = by the table's size
  Rates wide, narrow;
  const char* schedule;
  double average, beta2;
  bool balances;
};

constexpr Recipe kDefaultRecipe = {.linear = false,
                                   .trees = 144,
                                   .num_narrow_groups = 2,
                                   .depth = 3,
                                   .activation = "logistic",
                                   .epochs = 40,
                                   .least_steps = 1000,
                                   .patience = 0,
                                   .batch_size = 0,
                                   .wide = {.splits = 0.02, .leaves = 0.5, .decay = 0.1},
                                   .narrow = {.splits = 0.01, .leaves = 0.2, .decay = 0.1},
                                   .schedule = "doubling",
                                   .average = 1,
                                   .beta2 = 0.95,
                                   .balances = true};

/// Ibrahim, Hazimeh, Mazumder: hyperplane splits, smooth step, Adam at a constant rate,
/// patience 25.
constexpr Recipe kPaperRecipe = {.linear = true,
                                 .trees = 100,
                                 .num_narrow_groups = 0,
                                 .depth = 4,
                                 .activation = "smooth_step",
                                 .epochs = 200,
                                 .least_steps = 0,
                                 .patience = 25,
                                 .batch_size = 64,
                                 .wide = {.splits = 0.01, .leaves = 1, .decay = 0},
                                 .narrow = {.splits = 0.01, .leaves = 1, .decay = 0},
                                 .schedule = "constant",
                                 .average = 0,
                                 .beta2 = 0.999,
                                 .balances = false};

const Recipe& recipe_named(const std::string& name) {
  if (name == "default") return kDefaultRecipe;
  if (name == "paper") return kPaperRecipe;
  throw Error(fmt::format("recipe '{}' is unknown: use default or paper.", name));
}

/// The first, shortest cycle of the rate: whole epochs with at least so many steps.
constexpr int kCycleSteps = 70;
/// Fewer training rows want stronger decay.
constexpr std::size_t kFewRows = 4000;

Rates rates_for(const Recipe& recipe, const GroupSettings& group, std::size_t num_rows) {
  Rates rates = group.is_narrow ? recipe.narrow : recipe.wide;
  if (group.is_narrow && num_rows < kFewRows) rates.decay *= 2;
  return rates;
}

void set_rates(GroupSettings& group, const Rates& rates, const TrainOptions& options) {
  group.learning_rate = options.learning_rate.value_or(rates.splits);
  group.leaf_learning_rate =
      options.leaf_learning_rate.value_or(rates.leaves * group.learning_rate);
  group.decay = options.decay.value_or(rates.decay);
}

/// Many rows bear finer scales.
int default_fine_bins(std::size_t num_rows) {
  return static_cast<int>(std::clamp<std::size_t>(num_rows / 48, 32, 128));
}

bool has_narrow_trees(const std::vector<GroupSettings>& groups) {
  return std::any_of(groups.begin(), groups.end(),
                     [](const GroupSettings& group) { return group.is_narrow; });
}

int num_trees_to_share_out(const TrainOptions& options, const Recipe& recipe) {
  return options.trees ? trees_of_a_set(options, recipe.num_narrow_groups) : recipe.trees;
}

std::vector<GroupSettings> plan_groups(const TrainOptions& options, const Recipe& recipe) {
  if (!options.groups.empty()) return parse_groups(options.groups);
  const int trees = num_trees_to_share_out(options, recipe);
  std::vector<GroupSettings> groups = share_out_trees(trees, recipe.num_narrow_groups);
  make_private(share_of(options), groups);
  return groups;
}

void set_groups(Settings& settings, const TrainOptions& options, const Recipe& recipe,
                std::size_t num_rows, bool validates) {
  settings.groups = plan_groups(options, recipe);
  settings.one_group =
      options.groups.empty() && num_trees_to_share_out(options, recipe) < kLeastTreesToShare;
  settings.counts_trees = options.trees.has_value();
  settings.one_epoch_for_all = settings.counts_trees && options.tasks.size() > 1;
  if (settings.one_group && !validates) settings.groups.resize(1);  // nobody could choose
  for (GroupSettings& group : settings.groups) {
    set_rates(group, rates_for(recipe, group, num_rows), options);
  }
  if (has_narrow_trees(settings.groups) && !recipe.linear) {
    settings.fine_bins = options.fine_bins.value_or(default_fine_bins(num_rows));
  }
}

void validate_task(const TaskOptions& task) {
  if (task.target.empty()) throw Error("a task has no target: name the column to learn.");
  expect_not_negative("task weight", task.weight);
  expect_not_negative("stop weight", task.stop_weight);
}

/// An option that could change nothing is a misunderstanding.
void refuse_without_effect(const TrainOptions& options) {
  const std::string activation =
      options.activation.value_or(recipe_named(options.recipe).activation);
  if (options.gamma && activation != "smooth_step") {
    throw Error("gamma is the width of the smooth step: use it with --activation smooth_step.");
  }
  if (!options.groups.empty() && options.trees) {
    throw Error("groups says how many trees there are: leave out trees.");
  }
  const Recipe& recipe = recipe_named(options.recipe);
  const bool narrow = has_narrow_trees(plan_groups(options, recipe));
  if (!narrow && (options.columns_per_tree > 0 || options.fine_bins)) {
    throw Error(
        "columns-per-tree and fine-bins are for narrow trees, and there are none: add some with "
        "--groups wide=48,narrow=48x2.");
  }
  if (recipe.linear && options.fine_bins) {
    throw Error("fine-bins needs curves, and the recipe's columns are linear: leave it out.");
  }
  refuse_sharing_without_effect(options);
  if (!options.valid_column.empty() && (!options.group.empty() || options.valid_fraction)) {
    throw Error("valid-column says which rows validate: leave out group and valid-fraction.");
  }
  const bool folds = options.members > 1 || !options.fold_column.empty();
  if (folds && (!options.valid_column.empty() || options.valid_fraction)) {
    throw Error("members validate on their folds: leave out valid-column and valid-fraction.");
  }
  if (!options.fold_column.empty() && (options.members > 1 || !options.group.empty())) {
    throw Error("fold-column says which rows make a fold: leave out members and group.");
  }
  if (options.patience.value_or(0) > 0 && options.valid_fraction == 0) {
    throw Error("patience needs validation rows: valid-fraction must be above 0.");
  }
}

}  // namespace

void validate(const TrainOptions& options) {
  if (options.tasks.empty()) throw Error("nothing to learn: name the response with --target.");
  for (const TaskOptions& task : options.tasks) validate_task(task);
  recipe_named(options.recipe);
  if (!options.groups.empty()) parse_groups(options.groups);
  if (options.activation) activation_named(*options.activation);
  if (options.schedule) schedule_kind(*options.schedule);
  if (options.valid_fraction) {
    expect(*options.valid_fraction >= 0 && *options.valid_fraction < 1, "valid-fraction",
           *options.valid_fraction, "at least 0 and below 1");
  }
  if (options.depth) {
    expect(*options.depth >= 1 && *options.depth <= kMaxDepth, "depth", *options.depth, "1 to 10");
  }
  expect_at_least("bins", options.bins, 1);
  expect_at_least("fine-bins", options.fine_bins, 1);
  expect_at_least("trees", options.trees, 1);
  if (options.trees)
    expect(*options.trees <= 1000000, "trees", *options.trees, "at most a million");
  expect_at_least("epochs", options.epochs, 1);
  expect_at_least("batch-size", options.batch_size, 1);
  expect_at_least("patience", options.patience, 0);
  expect(options.members >= 1 && options.members <= 100, "members", options.members, "1 to 100");
  expect_at_least("columns-per-tree", options.columns_per_tree, 0);
  expect_at_least("threads", options.threads, 0);
  if (options.gamma) {
    // Its cube and the inverse of that are floats.
    expect(*options.gamma >= 1e-6 && *options.gamma <= 1e6, "gamma", *options.gamma, "1e-6 to 1e6");
  }
  expect_positive("learning-rate", options.learning_rate);
  expect_not_negative("leaf-learning-rate", options.leaf_learning_rate);
  expect_not_negative("warm-up", options.warm_up);
  if (options.warm_up) expect(*options.warm_up <= 1e6, "warm-up", *options.warm_up, "at most 1e6");
  expect_not_negative("decay", options.decay);
  expect_not_negative("average", options.average);
  expect_not_negative("share-strength", options.share_strength);
  expect_positive("share-decay", options.share_decay);
  expect_not_negative("l2-splits", options.l2_splits);
  expect_not_negative("l2-leaves", options.l2_leaves);
  expect_not_negative("clip", options.clip);
  refuse_without_effect(options);
}

namespace {

/// Cycles end on epochs, unless the user says how many epochs there are: four cycles fill those.
void set_cycles(Settings& settings, const TrainOptions& options, bool validates) {
  if (settings.schedule.kind != Schedule::Kind::doubling) return;
  const auto steps = static_cast<int>(settings.steps_per_epoch);
  const int first = std::max(1, (kCycleSteps + steps - 1) / steps);
  settings.cycle_epochs = options.epochs ? *options.epochs / 15.0 : first;
  settings.schedule.cycle_steps = settings.cycle_epochs * steps;
  // Nobody says when to stop without validation rows: four cycles are a fair guess.
  if (!options.epochs) settings.epochs = first * (validates ? 63 : 15);
}

}  // namespace

Settings make_settings(const TrainOptions& options, std::size_t num_training_rows, bool validates) {
  const Recipe& recipe = recipe_named(options.recipe);
  Settings settings;
  settings.linear = recipe.linear;
  settings.bins = options.bins.value_or(0);
  set_groups(settings, options, recipe, num_training_rows, validates);
  settings.depth = options.depth.value_or(recipe.depth);
  settings.activation = activation_named(options.activation.value_or(recipe.activation));
  settings.gamma = static_cast<float>(options.gamma.value_or(1));
  settings.columns_per_tree = options.columns_per_tree;
  set_sharing(settings, options);

  const std::size_t by_size =
      recipe.batch_size != 0 ? recipe.batch_size : default_batch_size(num_training_rows);
  settings.batch_size = std::clamp<std::size_t>(
      options.batch_size.value_or(static_cast<int>(by_size)), 1, num_training_rows);
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
  settings.balances = options.balance.value_or(recipe.balances);
  settings.beta2 = recipe.beta2;
  settings.seed = options.seed;
  settings.threads = options.threads;
  return settings;
}

}  // namespace softwood
