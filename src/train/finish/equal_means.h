#pragma once

#include <span>
#include <vector>

#include "base/thread_team.h"
#include "train/finish/scored_rows.h"

namespace softwood {

/// What an output is for the loss's `mean`, found by moving it.
enum class MeanRole {
  none,      ///< a dispersion, say
  location,  ///< the mean moves as much as the output does
  other,     ///< a logarithm of the mean, a share of zeros, …
};
/// Per output; all `other` if the loss has no mean.
std::vector<MeanRole> mean_roles(const Task& task, const ScoredRows& rows);

/// `shift` and what one more output has to move so that the weighted means of predictions and
/// responses are equal: the likelihoods of counts and amounts other than Poisson's do not see to
/// it. Nothing more for a loss without a mean, a censored one, responses or means below zero, and
/// means that are locations: those are balanced already, or robust on purpose.
std::vector<double> with_equal_means(const Task& task, std::span<const ScoredRows> parts,
                                     std::vector<double> shift, ThreadTeam& team);

}  // namespace softwood
