#pragma once

#include <vector>

#include "base/thread_team.h"
#include "base/views.h"
#include "model/model_parts.h"
#include "tree/tree_sums.h"

namespace softwood {

/// g [outputs × rows]: what a member's trees and its linear part add up to, of every row or of
/// those chosen. A row's numbers depend neither on threads nor on the other rows.
std::vector<double> member_sums(const Member& member, MatrixView<const float> positions,
                                ThreadTeam& team);
std::vector<double> member_sums(const Member& member, const ChosenRows& chosen, ThreadTeam& team);

}  // namespace softwood
