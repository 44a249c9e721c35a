#include "model/training_record.h"

#include <set>

namespace softwood {

const char* group_kind_name(GroupKind kind) {
  switch (kind) {
    case GroupKind::wide:
      return "wide";
    case GroupKind::narrow:
      return "narrow";
    case GroupKind::linear:
      break;
  }
  return "linear";
}

std::vector<int> GroupRecord::best_epochs() const {
  std::set<int> epochs;
  for (const Share& share : shares) {
    if (share.weight != 0) epochs.insert(share.best_epoch);
  }
  return {epochs.begin(), epochs.end()};
}

}  // namespace softwood
