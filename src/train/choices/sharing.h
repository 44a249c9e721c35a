#pragma once

#include <vector>

#include "softwood/options.h"
#include "train/choices/settings.h"

namespace softwood {

/// What the trees of several tasks have in common.
enum class Share {
  hard,    ///< all splits
  soft,    ///< each task has its own, pulled together
  none,    ///< each task has its own
  partly,  ///< trees for all tasks, and some for each
};

/// As the options say, or the default for them. Throws Error for an unknown name.
Share share_of(const TrainOptions& options);

/// How many trees to share out among the groups of a set, so that the model has `options.trees` at
/// most, whatever its tasks share: those that a task has for itself count as well. Throws Error if
/// that leaves a task without trees.
int trees_of_a_set(const TrainOptions& options, int num_narrow);

/// Makes groups of trees private, or adds private ones.
void make_private(Share share, std::vector<GroupSettings>& groups);

/// What coupling and components need to know.
void set_sharing(Settings& settings, const TrainOptions& options);

/// Throws Error for an option of sharing that could change nothing, and for a contradiction.
void refuse_sharing_without_effect(const TrainOptions& options);

}  // namespace softwood
