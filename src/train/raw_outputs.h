#pragma once

#include <span>
#include <vector>

#include "base/thread_team.h"
#include "data/encoder.h"
#include "train/examples.h"
#include "train/task.h"
#include "tree/ensemble.h"

namespace softwood {

/// f [outputs × rows] of every row: what the trees add up to, in the tasks' units.
std::vector<double> raw_outputs(const std::vector<Task>& tasks, const Ensemble& ensemble,
                                std::span<const float> values, const Rows& rows, ThreadTeam& team);

/// Each task's mean weighted loss over the rows that have its response (NaN if none), given f.
std::vector<double> mean_losses(const std::vector<Task>& tasks, const Examples& examples,
                                std::span<const double> f);

}  // namespace softwood
