#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/aligned_vector.h"
#include "base/thread_team.h"
#include "model/training_record.h"
#include "softwood/train.h"
#include "train/descent/group_trainer.h"
#include "train/descent/kept_groups.h"

namespace softwood {

/// What became of a group: the model keeps it.
using GroupOutcome = GroupRecord;

/// All groups in one ensemble.
struct BlendedTrees {
  Ensemble ensemble;
  AlignedVector<float> values;                 ///< knot values, biases, leaves
  std::vector<std::uint32_t> group_of_bundle;  ///< per bundle of the ensemble
};

/// Trains the groups side by side over the same batches, each on its own loss, and adds them:
/// run() reads as the method. Everything is borrowed but the results.
class Trainer {
 public:
  Trainer(const Settings& settings, const Tasks& tasks, std::vector<PreparedGroup> prepared,
          const Examples& training, const Examples& validation, const Hooks& hooks);

  /// Trains to the end, until every group stopped, or until a hook says stop.
  void run();

  /// After run(): all trees with their weights multiplied into the leaves, groups without weight
  /// left out.
  BlendedTrees blended() const;
  const std::vector<GroupOutcome>& outcomes() const { return outcomes_; }
  const std::vector<EpochResult>& history() const { return history_; }
  /// The last epoch that any of its trees come from.
  int best_epoch() const { return kept_->best_epoch(); }
  int whole_epochs() const { return whole_epochs_; }
  /// No further epoch would help; else a hook stopped it.
  bool is_finished() const { return unfinished().empty(); }
  /// Per task, of the blend; empty without validation rows.
  const std::vector<double>& validation_losses() const { return kept_->losses(); }

 private:
  bool run_epoch(int epoch);
  EpochResult finish_epoch(int epoch);
  std::vector<double> mean_training_losses() const;
  void tell_outcomes();
  void settle_history();
  void add_group(std::size_t index, EnsembleShape& shape, AlignedVector<float>& values) const;
  bool keeps(std::size_t index, std::size_t place, int epoch) const;
  std::vector<GroupTrainer*> unfinished() const;
  bool tell_progress(int epoch);
  Progress progress(int epoch) const;

  const Settings& settings_;
  const Tasks& tasks_;
  const Examples& training_;
  const Examples& validation_;
  const Hooks& hooks_;

  const std::vector<double> constant_losses_;
  std::vector<std::unique_ptr<GroupTrainer>> groups_;
  std::optional<KeptGroups> kept_;
  ThreadTeam team_;
  std::vector<EpochResult> history_;
  std::vector<GroupOutcome> outcomes_;

  std::mutex hook_mutex_;  // hooks are called by one thread at a time
  std::atomic<bool> stopped_{false};
  std::atomic<std::size_t> steps_done_{0};  // in this epoch, of all groups
  double steps_planned_ = 1;                // in this epoch
  int epochs_planned_ = 1;
  int whole_epochs_ = 0;
  std::chrono::steady_clock::time_point start_, last_told_;
};

}  // namespace softwood
