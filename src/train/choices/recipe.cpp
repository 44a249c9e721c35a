#include "train/choices/recipe.h"

#include <algorithm>
#include <array>

#include "options/choices.h"

namespace softwood {
namespace {

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
                                   .balances = true,
                                   .keep_loss = 0.001};

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
                                 .balances = false,
                                 .keep_loss = 0};

/// Tables of fewer rows than these have batches of this size: an epoch of a small table still has
/// some tens of steps, and a large table's steps are worth their overhead.
struct BatchRule {
  std::size_t rows_below;
  std::size_t batch_size;
};
constexpr std::array kBatchRules = {BatchRule{1500, 32}, BatchRule{3000, 64}, BatchRule{12000, 128},
                                    BatchRule{100001, 256}};
constexpr std::size_t kLargestBatch = 1024;

/// A fine scale has a bin for so many rows, within limits: fewer rows could not say where its
/// values lie.
constexpr std::size_t kRowsPerFineBin = 48;
constexpr std::size_t kFewestFineBins = 32;
constexpr std::size_t kMostFineBins = 128;

/// With fewer training rows than these, narrow trees want stronger decay.
constexpr std::size_t kFewRows = 4000;
constexpr double kDecayOfFewRows = 2;  // times the recipe's

}  // namespace

const Recipe& recipe_named(const std::string& name) {
  check_choice("recipe", kRecipes, name);
  return name == "paper" ? kPaperRecipe : kDefaultRecipe;
}

std::size_t default_batch_size(const Recipe& recipe, std::size_t num_rows) {
  if (recipe.batch_size != 0) return recipe.batch_size;
  for (const BatchRule& rule : kBatchRules) {
    if (num_rows < rule.rows_below) return rule.batch_size;
  }
  return kLargestBatch;
}

int default_fine_bins(std::size_t num_rows) {
  return static_cast<int>(std::clamp(num_rows / kRowsPerFineBin, kFewestFineBins, kMostFineBins));
}

Rates default_rates(const Recipe& recipe, bool is_narrow, std::size_t num_rows) {
  Rates rates = is_narrow ? recipe.narrow : recipe.wide;
  if (is_narrow && num_rows < kFewRows) rates.decay *= kDecayOfFewRows;
  return rates;
}

}  // namespace softwood
