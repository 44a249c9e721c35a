#pragma once

#include <cstddef>
#include <vector>

#include "model/model_parts.h"
#include "train/choices/settings.h"
#include "train/prepare/preparation.h"
#include "train/start/prepared_group.h"
#include "train/warm/old_groups.h"

namespace softwood {

/// The groups of every member that are trained on: the same ones in all of them. Throws Error if
/// there are no trees.
std::vector<std::vector<OldGroup>> groups_to_train_on(const ModelParts& start);

/// What a training that goes on has to learn from.
struct WarmRows {
  std::size_t num_training = 0;  ///< of the first member
  bool validates = false;
  bool has_old_ones = false;     ///< all that the model has learned from
  bool has_new_classes = false;  ///< what the model knows will not do
};

/// For training on: the model's groups, smaller steps, and about a fifth of the length that the
/// model was trained for, in one fall of the rate. What the user says wins.
Settings warm_settings(const TrainOptions& options, const ModelParts& start, const WarmRows& rows);
/// For `num_trees` new trees that learn what the model leaves.
Settings settings_for_added_trees(const TrainOptions& options, std::size_t num_trees,
                                  std::size_t num_rows, bool validates);

/// A member's groups as they were when it was done. `settings`: the member's.
std::vector<PreparedGroup> warm_groups(const Settings& settings, const Preparation& preparation,
                                       const Member& member, const std::vector<OldGroup>& groups,
                                       const ChosenRows& training);

/// The member with new trees added to it. `old_weights`: per task, what the member itself counts.
Member with_added_trees(const Member& old, const Tasks& tasks,
                        const std::vector<double>& old_weights, Member added);

}  // namespace softwood
