#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <vector>

#include "base/aligned_vector.h"
#include "base/thread_team.h"
#include "softwood/train.h"
#include "train/adam.h"
#include "train/early_stopping.h"
#include "train/examples.h"
#include "train/loss_step.h"
#include "train/settings.h"
#include "train/weight_average.h"
#include "tree/batch.h"
#include "tree/kernels.h"

namespace softwood {

/// Gradient descent on an ensemble: run() reads as the method. Everything is borrowed but the
/// results.
class Trainer {
 public:
  Trainer(const Settings& settings, const std::vector<Task>& tasks, const Ensemble& ensemble,
          const Examples& training, const Examples& validation, const Hooks& hooks);

  /// Trains to the end, to early stopping, or until a hook says stop.
  void run();

  /// Knot values, biases and leaves of the best epoch (an ensemble buffer).
  AlignedVector<float>& best_values() { return best_values_; }
  const std::vector<EpochResult>& history() const { return history_; }
  int best_epoch() const { return stopping_.best_epoch(); }

 private:
  bool run_epoch(int epoch);
  void step(std::span<const std::uint32_t> rows);
  void load_batch(std::span<const std::uint32_t> rows);
  void forward();
  void evaluate_loss();
  void backward();
  EpochResult finish_epoch(int epoch);

  void find_gradients(std::size_t bundle);
  void update_bundle(std::size_t bundle, const AdamStep& splits, const AdamStep& leaves);
  AdamStep adam_step(double rate) const;
  double gradient_norm() const;
  void map_averages();
  double weighted_total(const std::vector<double>& losses) const;
  bool tell_progress(int epoch);
  Progress progress(int epoch) const;
  [[noreturn]] void fail(int epoch, std::size_t batch, const std::string& trouble) const;

  const Settings& settings_;
  const std::vector<Task>& tasks_;
  const Ensemble& ensemble_;
  const Examples& training_;
  const Examples& validation_;
  const Hooks& hooks_;

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
  std::size_t steps_done_ = 0;
  std::size_t num_steps_;
  std::vector<EpochResult> history_;
  std::chrono::steady_clock::time_point start_, last_told_;
};

}  // namespace softwood
