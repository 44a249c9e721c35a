#pragma once

#include <span>
#include <vector>

#include "base/thread_team.h"
#include "train/finish/scored_rows.h"

namespace softwood {

/// What is to be added to each output, the same in all rows, for the least weighted loss over all
/// of them: Newton steps by conjugate gradients until the gradient is zero. For a canonical link
/// (squared, Poisson, logistic, softmax) predictions then are right on average. `free`: outputs
/// that may move.
std::vector<double> find_shift(const Task& task, std::span<const ScoredRows> parts,
                               const std::vector<bool>& free, ThreadTeam& team);

/// Rao's score statistic of "no shift is needed", output by output: about as large as the number of
/// outputs if rows drawn anew could just as well be off to the other side.
double score_statistic(const Task& task, std::span<const ScoredRows> parts, ThreadTeam& team);

}  // namespace softwood
