#pragma once

#include <vector>

#include "base/thread_team.h"
#include "data/encoder/encoder.h"
#include "model/model_parts.h"
#include "train/prepare/examples.h"

namespace softwood {

/// Leaves out knots of the members' curves, and keeps the others in 16 bits, as long as that costs
/// no more than `keep_loss` (see OutputChange::loss_share) on some rows, which should be of those
/// that the trees have not learned from. 0: nothing is left out. Returns what it costs.
double thin_members(std::vector<Member>& members, const Tasks& tasks, const Encoder& encoder,
                    const Examples& rows, double keep_loss, ThreadTeam& team);

}  // namespace softwood
