#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/aligned_vector.h"
#include "base/thread_team.h"
#include "train/descent/adam.h"
#include "train/descent/best_epochs.h"
#include "train/descent/coupling.h"
#include "train/descent/cycle_rule.h"
#include "train/descent/loss_step.h"
#include "train/descent/weight_average.h"
#include "train/prepare/examples.h"
#include "train/start/prepared_group.h"
#include "tree/batch.h"
#include "tree/kernels/kernels.h"

namespace softwood {

/// Gradient descent on one group of trees, on its own loss: step() reads as the method. Rows are
/// borrowed.
class GroupTrainer {
 public:
  GroupTrainer(PreparedGroup prepared, const Examples& training, const Examples& validation,
               int threads);

  /// One pass over the training rows in this order, without those that have no response of its
  /// tasks. `go_on` is asked after each step; false ends the pass. Throws Error if a loss or
  /// gradient is not finite.
  void run_epoch(int epoch, std::span<const std::uint32_t> order,
                 const std::function<bool()>& go_on);

  /// After an epoch: validates the averaged weights and keeps the best. The losses are per task.
  void finish_epoch(int epoch);

  /// No further epoch would help.
  bool is_finished() const { return finished_; }

  const Settings& settings() const { return settings_; }
  const GroupSettings& group() const { return group_; }
  /// Their outputs are counted within the group.
  const Tasks& tasks() const { return tasks_; }
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
  const Ensemble& ensemble() const { return ensemble_; }
  /// The next epoch after which it may be finished; if the user said how many there are, the last.
  int planned_epochs() const;
  /// Of the step to come.
  double learning_rate() const;
  /// Roughly what a step costs, in microseconds of one thread.
  static double step_microseconds(const Ensemble& ensemble, std::size_t batch_size);

 private:
  void step(std::span<const std::uint32_t> rows);
  void load_batch(std::span<const std::uint32_t> rows);
  void forward();
  void evaluate_loss();
  void backward();

  struct Family;
  std::span<const double> scores_of(std::size_t task, std::span<const double> scores) const;
  void gather_families();
  void find_gradients(std::size_t bundle);
  void update_family(const Family& family, const AdamStep& splits, const AdamStep& leaves);
  void update_bundle(std::size_t bundle, const AdamStep& splits, const AdamStep& leaves);
  AdamStep adam_step(double rate) const;
  bool gains_no_more(int epoch);
  double gradient_norm() const;
  void map_averages();
  [[noreturn]] void fail(int epoch, std::size_t batch, const std::string& trouble) const;

  /// Bundles that are updated together: one, or the same trees of several tasks.
  struct Family {
    std::size_t first = 0, count = 1;  ///< bundles
    std::vector<float> strengths{};
    CoupledPiece weights{}, biases{};
  };

  const Settings settings_;
  const GroupSettings group_;
  const Tasks tasks_;
  const Examples& training_;
  const Examples& validation_;
  Ensemble ensemble_;

  ThreadTeam team_;
  std::vector<std::uint32_t> table_rows_;  // of the batch
  Batch batch_;
  LossStep loss_step_;
  std::vector<BundleMemory> memories_;           // per bundle
  std::vector<std::size_t> used_columns_;        // that some bundle reads
  std::vector<std::vector<float>> bundle_sums_;  // per bundle [its outputs × rows]
  std::vector<double> sums_;                     // [outputs × rows]
  std::vector<float> output_gradients_;          // [outputs × rows]
  AlignedVector<float> parameters_, values_, gradients_, first_moments_, second_moments_, averages_;
  AlignedVector<float> averaged_values_;
  std::size_t num_coupled_;
  std::vector<Family> families_;

  std::vector<char> has_response_;  // per training row: it has a response of the tasks
  WeightAverage average_;
  BestEpochs best_;
  CycleRule cycles_;
  std::size_t steps_done_ = 0;
  std::size_t num_steps_;
  bool finished_ = false;
  std::vector<double> training_losses_, scores_;
};

}  // namespace softwood
