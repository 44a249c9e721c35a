#include "train/engine/simd_engine.h"

namespace softwood {

SimdEngine::SimdEngine(const std::vector<EngineGroup>& groups, ThreadTeam& team, int threads)
    : team_(team) {
  for (const EngineGroup& group : groups) {
    groups_.push_back(std::make_unique<SimdGroup>(group, threads, reducer_));
  }
}

void SimdEngine::run(std::span<const GroupBatches> chapter, const std::function<bool()>& go_on) {
  team_.for_each(chapter.size(), [&](std::size_t index) {
    groups_[chapter[index].group]->run(chapter[index], go_on);
  });
}

}  // namespace softwood
