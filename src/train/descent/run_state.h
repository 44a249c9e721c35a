#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "softwood/model.h"
#include "train/descent/group_state.h"
#include "train/descent/kept_groups.h"

namespace softwood {

/// Where training stands, of all members, after any step of any of its groups.
struct RunState {
  int epoch = 1;  ///< the one under way; a group's steps tell how far it is
  int whole_epochs = 0;
  std::vector<GroupState> groups;
  KeptGroups::State kept;
  std::vector<EpochResult> history;
};

/// The state as bytes, and back: whatever goes on from it ends with the same bits. Of the same
/// build on the same kind of machine; files that outlive it are for others to make of this. Throws
/// Error if the bytes are cut short or do not fit.
std::string to_bytes(const RunState& state);
RunState run_state_from_bytes(std::string_view bytes);

}  // namespace softwood
