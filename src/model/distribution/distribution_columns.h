#pragma once

#include <string>
#include <vector>

#include "model/distribution/distribution.h"
#include "softwood/model.h"

namespace softwood {

/// Its loss has a cdf and it is no classifier, whose probabilities say it all.
bool has_distribution(const Task& task);

/// Something is asked for that needs distributions.
bool asks_for_distributions(const PredictOptions& options);

/// Throws Error for a value out of range, and if no task has a distribution, with losses that would
/// have one; tells options.on_note of each task that has none.
void check_distributions(const Tasks& tasks, const PredictOptions& options);

/// The levels of the quantiles that an interval ends at.
struct IntervalLevels {
  double lower, upper;
};
IntervalLevels interval_levels(double level);

/// Throws Error unless 0 < level < 1.
void check_level(double level, const char* what);

/// The task with this target (empty: the first that has a distribution). Throws Error if there is
/// none, or it has no distribution.
const Task& task_with_distribution(const Tasks& tasks, const std::string& target);

/// What a task's draws are known by among all random numbers.
std::string sample_purpose(const Task& task);

/// Adds what the options ask for; the moments replace columns of the same name.
void add_distribution_columns(const Distribution& distribution, const Task& task,
                              const PredictOptions& options, const std::string& prefix,
                              std::vector<Column>& columns);

}  // namespace softwood
