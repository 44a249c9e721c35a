#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/aligned_vector.h"

namespace softwood {

/// The weights of one epoch, and what they make of the validation rows.
struct Snapshot {
  int epoch = 0;
  /// Per member, knot values, biases and leaves: an ensemble buffer.
  std::vector<AlignedVector<float>> values;
  std::vector<double> scores;  ///< g [outputs × validation rows of all members]
};

struct BestEpochRules {
  /// No task keeps an epoch of its own, so that no tree is kept twice.
  bool one_for_all = false;
  /// A later epoch is as good as the best one if it loses no more than this share of what there is
  /// to gain. Members that are averaged want to be later than one alone: each knows its rows a
  /// little too well, and the average takes that back.
  double tolerance = 0;
};

/// Which epoch's weights each task of a group keeps: those that are best for all tasks together,
/// unless its own best ones are clearly better for it. So a task that overfits early does not end
/// the learning of the others. Or, if trees are counted, all keep the same.
class BestEpochs {
 public:
  /// `starting_losses`: the constants'; NaN = no validation row has the task's response. `shares`:
  /// what a unit of each task's loss counts among the others'; 0 = nothing.
  BestEpochs(std::vector<double> starting_losses, std::vector<double> shares,
             const BestEpochRules& rules = {});

  /// `losses`: per task; NaN is never a gain. `take` makes the snapshot, if one is needed.
  void observe(int epoch, const std::vector<double>& losses, const std::function<Snapshot()>& take);
  /// Without validation rows the last epoch is the best.
  void observe_unseen(const std::function<Snapshot()>& take);

  /// The sum of every task's least loss, by their shares; what they start with if none was finite.
  double best_total() const;
  double starting_total() const;
  /// The sum of what there is for every task to gain. A task that learned nothing adds nothing, so
  /// that it makes the others' gains no smaller.
  double possible_gain() const;
  /// The last epoch that was a gain for any task.
  int latest_gain() const { return state_.latest_gain; }
  /// What a task keeps; nullptr if its loss was never finite.
  const Snapshot* of(std::size_t task) const;

  /// What it remembers of one task.
  struct Best {
    double loss = 0;
    double loss_together = 0;  ///< at the epoch that is best for all together
    std::shared_ptr<const Snapshot> snapshot = nullptr;
  };
  struct State {
    std::vector<Best> tasks;
    double least_together = 0;
    std::shared_ptr<const Snapshot> together = nullptr;
    int latest_gain = 0;
  };
  const State& state() const { return state_; }
  void set_state(State state) { state_ = std::move(state); }

 private:
  bool prefers_its_own(std::size_t task) const;
  bool is_good(std::size_t task, double loss) const;

  std::vector<double> starting_losses_, shares_;
  BestEpochRules rules_;
  State state_;
};

}  // namespace softwood
