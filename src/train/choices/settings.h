#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "softwood/options.h"
#include "train/descent/schedule.h"
#include "tree/ensemble.h"

namespace softwood {

/// Trees that are trained on one loss together.
struct GroupSettings {
  bool is_narrow = false;    ///< each tree sees a few columns, on fine scales
  bool is_private = false;   ///< one such group for every task, which it alone learns
  bool learns_rest = false;  ///< what the linear part leaves, not the whole
  std::size_t num_trees = 0;
  double learning_rate = 0;
  double leaf_learning_rate = 0;
  double decay = 0;

  bool operator==(const GroupSettings&) const = default;
};

/// TrainOptions with every choice made: what the recipe, the table's size and the user say
/// together.
struct Settings {
  bool linear = false;
  int bins = 0;       ///< 0 = the encoder's rule
  int fine_bins = 0;  ///< of the narrow trees; 0 = no fine scale

  std::vector<GroupSettings> groups;
  bool has_linear = false;         ///< a linear part is added to them
  bool one_group = false;          ///< keep only the group that validates best
  bool counts_trees = false;       ///< the user said how many there are, in all
  bool one_epoch_for_all = false;  ///< all tasks of a group keep the same, so no tree is kept twice
  int depth = 0;
  Activation activation = Activation::logistic;
  float gamma = 1;
  std::size_t columns_per_tree = 0;  ///< of narrow trees, drawn at random; 0 = a greedy start's

  bool couples_tasks = false;  ///< soft sharing: splits of their own, pulled together
  double share_strength = 0;
  double share_decay = 0;
  bool separate_components = false;  ///< every output has splits of its own

  int epochs = 0;                 ///< at most
  bool epochs_are_given = false;  ///< by the user
  double cycle_epochs = 0;        ///< of the first cycle, if the schedule's cycles double; else 0
  std::size_t batch_size = 0;
  std::size_t steps_per_epoch = 0;
  Schedule schedule = {};
  double average = 0;
  double l2_splits = 0;
  double l2_leaves = 0;
  double clip = 0;
  int patience = 0;
  double keep_loss = 0;      ///< share of the loss that a smaller file may cost
  bool balances = false;     ///< offsets are fitted once more at the end
  bool starts_warm = false;  ///< from trees that are trained already: they themselves may be kept
  /// What is there was learned from rows that are not at hand: new ones must outdo it.
  bool stands_on_lost_rows = false;
  /// Then, per task and part, the weights that the blend had and is drawn to, as by so many rows.
  std::vector<std::vector<double>> usual_weights = {};
  double pull_rows = 0;
  double beta1 = 0.9;
  double beta2 = 0.95;

  std::uint64_t seed = 0;
  int threads = 0;

  bool operator==(const Settings&) const = default;
};

/// For a model of all rows. `options` must be valid; `validates`: there are validation rows.
Settings make_settings(const TrainOptions& options, std::size_t num_training_rows, bool validates);

/// Those of the first of several members, for another one: it has a seed of its own, and batches
/// that take it through its rows in as many steps, so that members keep step.
Settings settings_for_member(const Settings& first, std::uint64_t seed, std::size_t member,
                             std::size_t num_training_rows);

/// For trees that one of several tasks has for itself, by its number of rows with a response; seed
/// and threads as those of the trees that tasks share. Only its outputs could be coupled: there is
/// no other task.
Settings settings_for_private_group(const TrainOptions& options, const Settings& shared,
                                    std::size_t num_training_rows, bool validates);

/// The first, shortest cycle of the rate: whole epochs with at least 70 steps.
int first_cycle_epochs(std::size_t steps_per_epoch);

/// By the recipe for so many rows, or as the user says.
void set_rates(std::vector<GroupSettings>& groups, const TrainOptions& options,
               std::size_t num_training_rows);

/// As many steps an epoch, of so many rows.
void keep_steps(Settings& settings, std::size_t num_training_rows);

}  // namespace softwood
