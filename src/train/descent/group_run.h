#pragma once

#include <optional>
#include <span>
#include <vector>

#include "train/descent/best_epochs.h"
#include "train/descent/cycle_rule.h"
#include "train/descent/group_state.h"
#include "train/engine/engine.h"
#include "train/prepare/examples.h"
#include "train/start/prepared_group.h"

namespace softwood {

/// One group of trees on its way through training: after each epoch it looks at what the engine has
/// made of them, keeps the best and decides whether to go on.
class GroupRun {
 public:
  /// All borrowed. `index`: of the group, for the engine.
  GroupRun(const PreparedGroup& prepared, std::size_t index, const Examples& training,
           const Examples& validation, Engine& engine);

  /// What it does in an epoch, from where its steps stand: the training rows in this order, without
  /// those that have no response of its tasks (then `rows` holds the others).
  GroupBatches batches(int epoch, std::span<const std::uint32_t> order,
                       std::vector<std::uint32_t>& rows) const;

  /// After an epoch, when the engine has validated the averaged weights: keeps the best.
  void finish_epoch(int epoch);

  /// No further epoch would help.
  bool is_finished() const { return is_finished_; }

  const Settings& settings() const { return prepared_.settings; }
  const GroupSettings& group() const { return prepared_.group; }
  /// Their outputs are counted within the group.
  const Tasks& tasks() const { return prepared_.tasks; }
  const Ensemble& ensemble() const { return prepared_.initial.ensemble; }
  /// Where a task of the model stands among them; none: these trees do not learn it.
  std::optional<std::size_t> find_task(const Task& task) const;
  /// Mean over the last epoch, per task.
  const std::vector<double>& training_losses() const { return training_losses_; }
  /// Of one of its tasks: validation rows' g [its outputs × rows] at the last epoch.
  std::span<const double> scores(std::size_t task) const { return scores_of(task, scores_); }
  /// What one of its tasks keeps; nullptr if its validation loss was never finite.
  const Snapshot* best(std::size_t task) const { return best_.of(task); }
  std::span<const double> best_scores(std::size_t task) const {
    return scores_of(task, best_.of(task)->scores);
  }
  /// The sum of the tasks' least validation losses, on their common scale.
  double best_loss() const { return best_.best_total(); }
  /// The next epoch after which it may be finished; if the user said how many there are, the last.
  int planned_epochs() const;
  /// Of the step to come.
  double learning_rate() const;

  GroupState state() const;
  void set_state(GroupState state);

 private:
  std::span<const double> scores_of(std::size_t task, std::span<const double> scores) const;
  bool gains_no_more(int epoch);

  const PreparedGroup& prepared_;
  const std::size_t index_;
  const Examples& validation_;
  Engine& engine_;
  const std::vector<bool> has_response_;  // per training row, of its tasks; empty: all have

  BestEpochs best_;
  CycleRule cycles_;
  std::vector<double> training_losses_, scores_;
  bool is_finished_ = false;
};

}  // namespace softwood
