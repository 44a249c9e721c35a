#include "train/start/hard_tree.h"

#include <algorithm>

namespace softwood {

std::vector<std::uint32_t> HardTree::columns() const {
  std::vector<std::uint32_t> used;
  for (const std::optional<HardSplit>& split : splits) {
    if (split) used.push_back(split->column);
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

}  // namespace softwood
