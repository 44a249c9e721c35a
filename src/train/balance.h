#pragma once

#include <span>
#include <vector>

#include "base/thread_team.h"
#include "train/examples.h"
#include "train/scored_rows.h"
#include "tree/ensemble.h"

namespace softwood {

/// True unless the shift raises the mean loss over these rows by more than the standard error of
/// that rise. Without rows: true.
bool bears_shift(const Task& task, const ScoredRows& rows, std::span<const double> shift);

/// The offsets of all outputs, each task's fitted once more to both sides: few rows, averages and
/// early stopping leave the trees' sums a little off. If the validation rows do not bear it, only
/// what the mean depends on moves (the training rows, which the trees know, want a dispersion that
/// is too small); if they do not bear that, nothing. Several outputs of a task move only if chance
/// does not explain their gradient. Then means are made equal, if the validation rows bear it.
std::vector<double> balanced_offsets(const std::vector<Task>& tasks, const Ensemble& ensemble,
                                     std::span<const float> values, const Examples& training,
                                     const Examples& validation, ThreadTeam& team);

}  // namespace softwood
