#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/aligned_vector.h"
#include "base/thread_team.h"
#include "model/training_record.h"
#include "softwood/train.h"
#include "train/descent/group_run.h"
#include "train/descent/kept_groups.h"
#include "train/descent/run_state.h"
#include "train/engine/engine.h"

namespace softwood {

/// What one member trains, and its rows. Borrowed but for the groups.
struct MemberRun {
  std::vector<PreparedGroup> groups;  ///< the same ones in all members, in the same order
  const TrainingAndValidation* rows = nullptr;
  /// The same rows with the linear part's scores as their base, for groups that learn what it
  /// leaves. Without a linear part: as `rows`.
  const TrainingAndValidation* rest = nullptr;
};

/// All groups of a member in one ensemble.
struct BlendedTrees {
  Ensemble ensemble;
  AlignedVector<float> values;                 ///< knot values, biases, leaves: as they predict
  std::vector<std::uint32_t> group_of_bundle;  ///< per bundle of the ensemble
};

/// Trains the groups of all members side by side, each on its own loss, and adds them: advance()
/// reads as the method. Members keep step: what hangs on validation rows (the best epochs, when to
/// stop, the groups' weights) is decided for all of them by the rows of all folds. Everything is
/// borrowed but the groups and the results.
class Trainer {
 public:
  /// `judged`: the validation rows of all members, one member after the other. `linear`: what the
  /// linear part makes of them, g [outputs × rows]; none: there is no such part.
  Trainer(const Settings& settings, const Tasks& tasks, std::vector<MemberRun> members,
          const Examples& judged, std::optional<std::span<const double>> linear,
          const Hooks& hooks);

  /// Why advance() came back.
  enum class Halt {
    rest,   ///< by `pause`, or before the last epoch's end
    stop,   ///< a hook said so
    ended,  ///< every group is finished
  };
  /// Trains to the end: until every group stopped, or until a hook says stop.
  void run() {
    if (advance({}) == Halt::stop) conclude();
  }

  /// Trains on. `pause` is asked after each step, by any thread; once it says true, groups rest
  /// after the steps under way. With a `pause` they rest as well, once, when all steps of the last
  /// epoch that the settings allow are done: from there, more epochs could be asked for. After a
  /// rest or a stop the run can go on, by another call, or elsewhere from its state.
  Halt advance(const std::function<bool()>& pause);
  /// After a stop: takes what there is for the end.
  void conclude();
  /// Before, after or between calls of advance().
  RunState state() const;
  /// The state of a trainer that was made from the same arguments; of settings that allow for more
  /// epochs, too, where their number changes nothing else. Throws Error for any other.
  void set_state(RunState state);

  // After the end:

  /// A member's trees with their weights multiplied into the leaves, groups without weight left
  /// out.
  BlendedTrees blended(std::size_t member) const;
  /// What the linear part counts in a task: by itself, and under the groups that add to it.
  double linear_weight(const Task& task) const;
  const std::vector<GroupRecord>& outcomes() const { return outcomes_; }
  const std::vector<EpochResult>& history() const { return history_; }
  /// The last epoch that any of its trees come from.
  int best_epoch() const { return kept_->best_epoch(); }
  int whole_epochs() const { return whole_epochs_; }
  /// All steps of the last epoch that the settings allow are done.
  bool is_at_its_end() const { return rested_at_the_end_; }
  /// No further epoch would help; else a hook stopped it.
  bool is_finished() const { return unfinished().empty(); }
  /// Per task, of the blend; empty without validation rows.
  const std::vector<double>& validation_losses() const { return kept_->losses(); }

 private:
  void run_steps(const std::function<bool()>& pause);
  void finish_groups();
  void plan_chapter();
  EpochResult finish_epoch();
  std::vector<double> mean_training_losses() const;
  void settle();
  void tell_outcomes();
  void settle_history();
  void add_group(std::size_t index, std::size_t member, EnsembleShape& shape,
                 AlignedVector<float>& values) const;
  bool keeps(std::size_t index, std::size_t place, int epoch) const;
  std::vector<GroupRun*> unfinished() const;
  void expect_kept_trees() const;
  bool tell_progress();
  Progress progress() const;

  const Settings& settings_;
  const Tasks& tasks_;
  const Examples& judged_;
  const bool has_linear_;
  const Hooks& hooks_;
  std::vector<MemberRun> members_;
  const std::vector<double> constant_losses_;
  ThreadTeam team_;
  std::unique_ptr<Engine> engine_;

  // What RunState holds.
  int epoch_ = 1;
  int whole_epochs_ = 0;
  std::vector<std::unique_ptr<GroupRun>> groups_;
  std::optional<KeptGroups> kept_;
  std::vector<EpochResult> history_;

  std::vector<GroupRecord> outcomes_;

  // Of the epoch under way.
  std::vector<std::vector<std::uint32_t>> orders_;  // per member
  std::vector<std::vector<std::uint32_t>> parts_;   // of groups that leave out some rows
  std::vector<GroupBatches> chapter_;
  bool is_within_epoch_ = false;  // a stop came between its steps
  bool rested_at_the_end_ = false;
  std::atomic<bool> paused_{false};
  std::atomic<bool> stopped_{false};
  std::atomic<std::size_t> steps_done_{0};  // of all groups
  double steps_planned_ = 1;
  int epochs_planned_ = 1;

  std::mutex hook_mutex_;  // hooks are called by one thread at a time
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_told_ = start_;
};

}  // namespace softwood
