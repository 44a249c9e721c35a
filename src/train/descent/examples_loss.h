#pragma once

#include <span>
#include <vector>

#include "task/tasks.h"
#include "train/prepare/examples.h"

namespace softwood {

/// Each task's mean weighted loss over the examples that have its response (NaN if none), given f
/// [the tasks' outputs × rows].
std::vector<double> mean_losses(const Tasks& tasks, const Examples& examples,
                                std::span<const double> f);

/// The same of the constants, which the trees add to.
std::vector<double> constant_losses(const Tasks& tasks, const Examples& examples);

/// What a unit of each task's loss counts when trees decide to stop: tasks on their common scale. A
/// task without responses has no say.
std::vector<double> stop_shares(const Tasks& tasks, const Examples& examples);

}  // namespace softwood
