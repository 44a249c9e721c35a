#pragma once

#include <vector>

#include "softwood/options.h"
#include "train/planting.h"
#include "train/preparation.h"
#include "train/settings.h"
#include "train/task.h"

namespace softwood {

/// A group of trees ready to train: what it learns, how, and from which start.
struct PlantedGroup {
  Settings settings;  ///< for the rows it learns from
  GroupSettings group;
  std::vector<Task> tasks;  ///< all of the model's or some; outputs counted within the group
  Plant plant;
};

/// These tasks with their outputs counted from 0.
std::vector<Task> as_tasks_of_a_group(std::vector<Task> tasks);

/// Every group of the settings; those that are private once for every task, with the settings that
/// the rows of its response alone would get. Throws Error if they need more memory than there is.
/// `stop_check` (see make_stop_check()) is called all along.
std::vector<PlantedGroup> plant_groups(Settings settings, const TrainOptions& options,
                                       const Preparation& preparation, const Sides& sides,
                                       const std::function<void()>& stop_check = {});

}  // namespace softwood
