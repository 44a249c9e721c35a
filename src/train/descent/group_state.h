#pragma once

#include <vector>

#include "train/descent/best_epochs.h"
#include "train/descent/cycle_rule.h"
#include "train/engine/descent_state.h"

namespace softwood {

/// Everything that a group's training has come to: a plain value, which can be written, read back
/// and gone on from.
struct GroupState {
  std::vector<DescentState> descents;  ///< per member
  BestEpochs::State best;
  CycleRule::State cycles;
  std::vector<double> training_losses;  ///< of the last whole epoch, per task of the group
  std::vector<double> scores;           ///< of the same, g [the group's outputs × validation rows]
  bool is_finished = false;
};

}  // namespace softwood
