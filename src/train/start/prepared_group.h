#pragma once

#include <vector>

#include "softwood/options.h"
#include "task/tasks.h"
#include "train/choices/settings.h"
#include "train/prepare/preparation.h"
#include "train/start/initial_trees.h"

namespace softwood {

/// A group of trees ready to train: what it learns, how, and from which start.
struct PreparedGroup {
  Settings settings;  ///< for the rows it learns from
  GroupSettings group;
  Tasks tasks;  ///< all of the model's or some; outputs counted within the group
  InitialTrees initial;
};

/// The rows that a member's groups learn from.
struct MemberExamples {
  const Examples& whole;
  const Examples& rest;   ///< with the linear part's scores as base, for groups that learn the rest
  const Examples& first;  ///< the first member's: they decide what depends on their number
  bool validates = true;  ///< there are validation rows
};

/// Every group of the settings; those that are private once for every task, with the settings that
/// the rows of its response alone would get. Throws Error if they need more memory than there is.
/// `stop_check` (see make_stop_check()) is called all along.
std::vector<PreparedGroup> prepare_groups(Settings settings, const Preparation& preparation,
                                          const MemberExamples& examples,
                                          const std::function<void()>& stop_check = {});

}  // namespace softwood
