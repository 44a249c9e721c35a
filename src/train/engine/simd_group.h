#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/aligned_vector.h"
#include "base/thread_team.h"
#include "train/engine/engine.h"
#include "train/engine/loss_step.h"
#include "train/engine/optimizer.h"
#include "tree/batch.h"
#include "tree/kernels/kernels.h"

namespace softwood {

/// One group of trees on the SIMD kernels: its state, and what a step needs besides, which the next
/// step makes anew. step() reads as the method.
class SimdGroup {
 public:
  /// `reducer` is borrowed as well.
  SimdGroup(const EngineGroup& group, int threads, Reducer& reducer);

  /// See Engine::run.
  void run(const GroupBatches& batches, const std::function<bool()>& go_on);
  /// See Engine::validate.
  void validate();

  const DescentState& state() const { return state_; }
  void set_state(DescentState state);
  std::vector<double> take_training_losses();
  std::span<const float> averaged_values() const { return averaged_values_; }
  std::span<const double> validation_scores() const { return scores_; }

 private:
  void step(std::span<const std::uint32_t> rows);
  void load(std::span<const std::uint32_t> rows);
  void forward();
  void add_up_bundles();
  void evaluate_loss();
  void backward(const Optimizer::Family& family);

  void share_rows(const std::function<void(std::size_t begin, std::size_t end)>& work);
  void find_curves(std::size_t bundle);
  double gradient_norm();
  MatrixView<double> sums() {
    return {sums_.data(), ensemble_.shape().num_outputs, batch_.num_rows()};
  }

  const PreparedGroup& group_;
  const Examples& training_;
  const Examples& validation_;
  const Ensemble& ensemble_;
  const Optimizer optimizer_;
  Reducer& reducer_;
  ThreadTeam team_;

  DescentState state_;
  AlignedVector<float> values_;  // the parameters' curves

  // Of the step under way.
  Batch batch_;
  std::vector<std::uint32_t> table_rows_;  // of the batch
  LossStep loss_step_;
  std::vector<BundleMemory> memories_;           // per bundle
  std::vector<std::size_t> used_columns_;        // that some bundle reads
  std::vector<std::vector<float>> bundle_sums_;  // per bundle [its outputs × rows]
  std::vector<double> sums_;                     // [outputs × rows]
  std::vector<float> output_gradients_;          // [outputs × rows]
  AlignedVector<float> gradients_;

  // As last validated.
  AlignedVector<float> averaged_values_;
  std::vector<double> scores_;
};

}  // namespace softwood
