#pragma once

#include <string>
#include <vector>

#include "train/choices/settings.h"

namespace softwood {

/// Fewer trees than this are too few to share out.
inline constexpr int kLeastTreesToShare = 16;

/// What an ensemble is made of.
struct GroupPlan {
  std::vector<GroupSettings> groups;  ///< of trees; rates are not set yet
  bool has_linear = false;            ///< a linear part is one more
};

/// "linear,wide=48,narrow=48x2,rest_narrow=24" → kinds and sizes of the groups. Throws Error for
/// other texts.
GroupPlan parse_ensemble(const std::string& text);

/// A wide group and `num_narrow` narrow ones of about equal size. Of few trees, one group of each
/// kind with all of them: one is to be chosen.
std::vector<GroupSettings> share_out_trees(int num_trees, int num_narrow);

/// The groups that the options ask for.
GroupPlan plan_groups(const TrainOptions& options);
/// There are too few trees for more than the better one of two groups.
bool keeps_one_group(const TrainOptions& options);
bool has_narrow_trees(const std::vector<GroupSettings>& groups);

}  // namespace softwood
