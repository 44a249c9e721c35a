#pragma once

#include <algorithm>
#include <cmath>

namespace softwood {

/// What there is to gain, seen from the least loss so far: what was gained, or what is left if
/// less.
inline double possible_gain(double starting_loss, double best_loss) {
  const double gained = starting_loss - best_loss;
  return best_loss > 0 ? std::min(best_loss, gained) : gained;  // a loss below 0 may fall for ever
}

/// For a schedule whose cycles double: ends training after a cycle that gained too little. A longer
/// one would cost twice as much and rarely gains more.
class CycleRule {
 public:
  /// `cycle_epochs`: length of the first cycle; 0 = no cycles, never stop. `starting_loss`: the
  /// constant's.
  CycleRule(double cycle_epochs, double starting_loss)
      : cycle_epochs_(cycle_epochs), state_{.cycle = 1, .last_loss = starting_loss} {}

  /// What it remembers from one epoch to the next.
  struct State {
    int cycle = 1;
    double last_loss = 0;  ///< the least at the end of the last cycle
  };
  const State& state() const { return state_; }
  void set_state(const State& state) { state_ = state; }

  /// Asked once after every epoch, with the least loss so far and what there is to gain.
  bool should_stop(int epoch, double best_loss, double worth) {
    if (cycle_epochs_ == 0 || epoch < end_of_cycle(state_.cycle)) return false;
    while (epoch >= end_of_cycle(state_.cycle + 1)) ++state_.cycle;  // shorter than an epoch
    const double gained = state_.last_loss - best_loss;
    state_.last_loss = best_loss;
    return ++state_.cycle > kLeastCycles && !(gained > 0 && gained >= kLeastGain * worth);
  }
  /// The next epoch after which it may stop; 0 without cycles.
  int next_stop() const {
    return cycle_epochs_ == 0 ? 0 : end_of_cycle(std::max(state_.cycle, kLeastCycles));
  }

 private:
  static constexpr int kLeastCycles = 3;
  static constexpr double kLeastGain = 0.02;

  int end_of_cycle(int cycle) const {
    return static_cast<int>(std::ceil(cycle_epochs_ * ((1 << cycle) - 1) - 1e-9));
  }

  double cycle_epochs_;
  State state_;
};

}  // namespace softwood
