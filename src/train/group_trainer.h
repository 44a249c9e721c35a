#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/aligned_vector.h"
#include "base/thread_team.h"
#include "train/adam.h"
#include "train/early_stopping.h"
#include "train/examples.h"
#include "train/loss_step.h"
#include "train/planting.h"
#include "train/settings.h"
#include "train/weight_average.h"
#include "tree/batch.h"
#include "tree/kernels.h"

namespace softwood {

/// Gradient descent on one group of trees, on its own loss: step() reads as the method. Everything
/// is borrowed but the trees.
class GroupTrainer {
 public:
  GroupTrainer(const Settings& settings, const GroupSettings& group, const std::vector<Task>& tasks,
               Plant plant, const Examples& training, const Examples& validation, int threads);

  /// One pass over the training rows in this order. `go_on` is asked after each step; false ends
  /// the pass. Throws Error if a loss or gradient is not finite.
  void run_epoch(int epoch, std::span<const std::uint32_t> order,
                 const std::function<bool()>& go_on);

  /// After an epoch: validates the averaged weights and keeps the best. The losses are per task.
  void finish_epoch(int epoch);

  /// No further epoch would help.
  bool is_finished() const { return finished_; }

  const std::vector<double>& training_losses() const { return training_losses_; }
  /// Validation rows' g [outputs × rows] at the last epoch, and at the best one.
  const std::vector<double>& scores() const { return scores_; }
  const std::vector<double>& best_scores() const { return best_scores_; }
  double best_loss() const { return stopping_.best_loss(); }
  int best_epoch() const { return stopping_.best_epoch(); }
  const Ensemble& ensemble() const { return ensemble_; }
  /// Knot values, biases and leaves of the best epoch (an ensemble buffer); empty if there is none.
  const AlignedVector<float>& best_values() const { return best_values_; }
  /// The next epoch after which it may be finished.
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

  void find_gradients(std::size_t bundle);
  void update_bundle(std::size_t bundle, const AdamStep& splits, const AdamStep& leaves);
  AdamStep adam_step(double rate) const;
  double gradient_norm() const;
  void map_averages();
  [[noreturn]] void fail(int epoch, std::size_t batch, const std::string& trouble) const;

  const Settings& settings_;
  const GroupSettings& group_;
  const std::vector<Task>& tasks_;
  const Examples& training_;
  const Examples& validation_;
  Ensemble ensemble_;

  ThreadTeam team_;
  Batch batch_;
  LossStep loss_step_;
  std::vector<BundleMemory> memories_;           // per bundle
  std::vector<std::size_t> used_columns_;        // that some bundle reads
  std::vector<std::vector<float>> bundle_sums_;  // per bundle [its outputs × rows]
  std::vector<double> sums_;                     // [outputs × rows]
  std::vector<float> output_gradients_;          // [outputs × rows]
  AlignedVector<float> parameters_, values_, gradients_, first_moments_, second_moments_, averages_;
  AlignedVector<float> averaged_values_, best_values_;

  WeightAverage average_;
  EarlyStopping stopping_;
  CycleRule cycles_;
  std::size_t steps_done_ = 0;
  std::size_t num_steps_;
  bool finished_ = false;
  std::vector<double> training_losses_, scores_, best_scores_;
};

}  // namespace softwood
