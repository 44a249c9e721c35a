#pragma once

#include "train/descent/run_state.h"

namespace softwood {

/// What the state of a group has to fit.
struct GroupFrame {
  std::size_t num_scores = 0;  ///< its outputs × validation rows of all members
  std::size_t steps_per_epoch = 0;
};

/// Throws Error unless `state` is one that a run could come to which begins with `start`: as many
/// groups, members, tasks and numbers in every buffer, epochs and steps that belong together,
/// weights that are finite. `frames`: per group.
void expect_state_of_run(const RunState& state, const RunState& start,
                         const std::vector<GroupFrame>& frames);

}  // namespace softwood
