#pragma once

#include <span>
#include <vector>

#include "base/thread_team.h"
#include "data/encoder.h"
#include "train/examples.h"
#include "train/task.h"
#include "tree/ensemble.h"

namespace softwood {

/// g [outputs × rows] of every row: what the trees add up to.
std::vector<double> tree_sums(const Ensemble& ensemble, std::span<const float> values,
                              const Rows& rows, ThreadTeam& team);

/// f = offset + unit · g, in the tasks' units; with the best constants as offsets, or others, one
/// per output.
std::vector<double> in_units(const std::vector<Task>& tasks, std::vector<double> g);
std::vector<double> in_units(const std::vector<Task>& tasks, std::span<const double> offsets,
                             std::vector<double> g);

/// The best constants of all outputs.
std::vector<double> constant_offsets(const std::vector<Task>& tasks);

/// Each task's mean weighted loss over the rows that have its response (NaN if none), given f.
std::vector<double> mean_losses(const std::vector<Task>& tasks, const Examples& examples,
                                std::span<const double> f);

/// The same of the constants, which the trees add to.
std::vector<double> constant_losses(const std::vector<Task>& tasks, const Examples& examples);

/// What a unit of each task's loss counts when trees decide to stop: tasks on their common scale. A
/// task without responses has no say.
std::vector<double> stop_shares(const std::vector<Task>& tasks, const Examples& examples);

/// What early stopping compares: the sum of mean_losses() by their shares.
double total_loss(const std::vector<Task>& tasks, const Examples& examples,
                  const std::vector<double>& losses);

}  // namespace softwood
