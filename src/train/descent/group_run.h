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

/// A group of trees in one member: what the engine trains under a number. All borrowed.
struct GroupCopy {
  const PreparedGroup* prepared = nullptr;
  std::size_t index = 0;  ///< for the engine
  const Examples* training = nullptr;
  const Examples* validation = nullptr;
};

/// One group of trees on its way through training, in all members at once: after each epoch it
/// looks at what the engine has made of them, keeps the best and decides whether to go on. Epochs
/// are judged by the validation rows of all members together, each row by the member that has not
/// learned from it.
class GroupRun {
 public:
  /// `judged`: the validation rows of all copies, one copy after the other; borrowed, as is the
  /// engine. The copies have as many steps an epoch.
  GroupRun(std::vector<GroupCopy> copies, const Examples& judged, Engine& engine);

  /// What a member does in an epoch, from where its steps stand: its training rows in this order,
  /// without those that have no response of the group's tasks (then `rows` holds the others).
  GroupBatches batches(std::size_t member, int epoch, std::span<const std::uint32_t> order,
                       std::vector<std::uint32_t>& rows) const;

  /// After an epoch, when the engine has validated the averaged weights: keeps the best.
  void finish_epoch(int epoch);

  /// No further epoch would help.
  bool is_finished() const { return is_finished_; }

  const Settings& settings() const { return prepared(0).settings; }
  const GroupSettings& group() const { return prepared(0).group; }
  /// Their outputs are counted within the group.
  const Tasks& tasks() const { return prepared(0).tasks; }
  const Ensemble& ensemble(std::size_t member) const { return prepared(member).initial.ensemble; }
  /// Where a task of the model stands among them; none: these trees do not learn it.
  std::optional<std::size_t> find_task(const Task& task) const;
  /// Mean over the last epoch, per task.
  const std::vector<double>& training_losses() const { return training_losses_; }
  /// Of one of its tasks: judged rows' g [its outputs × rows] at the last epoch, with the base.
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

  /// Trees that are trained already: they themselves may be what is kept, as of epoch 0.
  void observe_start();

  GroupState state() const;
  void set_state(GroupState state);

 private:
  const PreparedGroup& prepared(std::size_t member) const { return *copies_[member].prepared; }
  std::span<const double> scores_of(std::size_t task, std::span<const double> scores) const;
  void gather_training_losses();
  void gather_scores();
  Snapshot snapshot(int epoch) const;
  bool gains_no_more(int epoch);

  const std::vector<GroupCopy> copies_;  // per member
  const Examples& judged_;
  Engine& engine_;
  std::vector<std::vector<bool>> has_response_;  // [member][training row]; empty: all have

  BestEpochs best_;
  CycleRule cycles_;
  std::vector<double> training_losses_, scores_;
  bool is_finished_ = false;
};

}  // namespace softwood
