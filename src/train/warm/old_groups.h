#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/model_parts.h"
#include "train/choices/settings.h"
#include "train/start/initial_trees.h"

namespace softwood {

/// A group of a finished member's trees, to be trained on.
struct OldGroup {
  GroupSettings group;              ///< kind and number of trees; rates are not set
  std::optional<std::size_t> task;  ///< that it alone learns; none: all of them
  std::vector<std::size_t> bundles;
  /// Per task of the model, what its leaves were multiplied by when groups were added.
  std::vector<double> weights;
};

/// The model tells how its trees were grouped, and every group learned the whole, or what the
/// linear part leaves of it. Trees that were added later learned what all others left, and mean
/// nothing without them.
bool tells_groups(const MemberRecord& record);

/// The groups that a member was trained in, where tells_groups(); else all its trees as one group.
std::vector<OldGroup> old_groups(const Member& member, const Tasks& tasks);

/// Their trees, with the leaves that the group had by itself. `columns`: as column_bases() finds
/// them on the rows to learn from. `own`: the tasks that the group learns.
InitialTrees trees_of(const OldGroup& group, const Member& member, const Tasks& tasks,
                      const Tasks& own, const std::vector<ColumnBasis>& columns);

/// The member's linear part as it was before it was weighed; none if it has none.
std::optional<LinearPart> old_linear_part(const Member& member, const Tasks& tasks);

}  // namespace softwood
