#include "train/choices/validate.h"

#include <cmath>

#include <fmt/format.h>

#include "options/option_list.h"
#include "options/set_option.h"
#include "softwood/error.h"
#include "train/choices/group_plan.h"
#include "train/choices/recipe.h"
#include "train/choices/sharing.h"
#include "tree/ensemble.h"

namespace softwood {
namespace {

static_assert(kDeepestTree == kMaxDepth);

void validate_task(const TaskOptions& task) {
  if (task.target.empty()) throw Error("a task has no target: name the column to learn.");
  const auto check = [](const char* name, double weight) {
    if (!kNotNegative.contains(weight))
      throw Error(fmt::format("{} is {}, but must be {}.", name, weight, range_text(kNotNegative)));
  };
  check("task weight", task.weight);
  check("stop weight", task.stop_weight.value_or(0));
}

void refuse_trees_without_effect(const TrainOptions& options) {
  const Recipe& recipe = recipe_named(options.recipe);
  if (options.gamma && options.activation.value_or(recipe.activation) != "smooth_step") {
    throw Error("gamma is the width of the smooth step: use it with --activation smooth_step.");
  }
  if (!options.ensemble.empty() && options.trees) {
    throw Error("ensemble says how many trees there are: leave out trees.");
  }
  const bool narrow = has_narrow_trees(plan_groups(options).groups);
  if (!narrow && (options.columns_per_tree > 0 || options.fine_bins)) {
    throw Error(
        "columns-per-tree and fine-bins are for narrow trees, and there are none: add some with "
        "--ensemble wide=48,narrow=48x2.");
  }
  if (recipe.linear && options.fine_bins) {
    throw Error("fine-bins needs curves, and the recipe's columns are linear: leave it out.");
  }
}

void refuse_rows_without_effect(const TrainOptions& options) {
  if (!options.valid_column.empty() && (!options.keep_together.empty() || options.valid_fraction)) {
    throw Error(
        "valid-column says which rows validate: leave out keep-together and valid-fraction.");
  }
  const bool several = options.members.value_or(1) > 1;
  const bool folds = several || !options.fold_column.empty();
  if (folds && !options.valid_column.empty())
    throw Error("members validate on their folds: leave out valid-column.");
  if (!options.fold_column.empty() && options.valid_fraction)
    throw Error("fold-column says which rows validate: leave out valid-fraction.");
  const double share = options.valid_fraction.value_or(0);
  if (several && options.valid_fraction && (share == 0 || share * *options.members > 1.001)) {
    throw Error(fmt::format(
        "valid-fraction is {}, but {} members validate on a fold each: it must be above 0 and at "
        "most {:.3g}.",
        share, *options.members, 1.0 / *options.members));
  }
  if (!options.fold_column.empty() && (several || !options.keep_together.empty())) {
    throw Error("fold-column says which rows make a fold: leave out members and keep-together.");
  }
  if (options.patience.value_or(0) > 0 && options.valid_fraction == 0) {
    throw Error("patience needs validation rows: valid-fraction must be above 0.");
  }
}

}  // namespace

void validate(const TrainOptions& options) {
  if (options.tasks.empty()) throw Error("nothing to learn: name the response with --target.");
  for (const TaskOptions& task : options.tasks) validate_task(task);
  check_values(options);
  refuse_trees_without_effect(options);
  refuse_sharing_without_effect(options);
  refuse_rows_without_effect(options);
}

}  // namespace softwood
