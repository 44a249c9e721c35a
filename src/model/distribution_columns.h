#pragma once

#include <string>
#include <vector>

#include "model/distribution.h"
#include "softwood/model.h"

namespace softwood {

/// Its loss has a cdf and it is no classifier, whose probabilities say it all.
bool has_distribution(const Task& task);

/// Something is asked for that needs distributions.
bool asks_for_distributions(const PredictOptions& options);

/// Throws Error for a value out of range, and if no task has a distribution, with losses that would
/// have one; tells options.on_note of each task that has none.
void check_distributions(const std::vector<Task>& tasks, const PredictOptions& options);

/// Adds what the options ask for; the moments replace columns of the same name.
void add_distribution_columns(const Distribution& distribution, const Task& task,
                              const PredictOptions& options, const std::string& prefix,
                              std::vector<Column>& columns);

}  // namespace softwood
