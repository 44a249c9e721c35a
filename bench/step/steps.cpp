#include "step/steps.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace softwood {
namespace {

int groups_at_once(const Problem& problem, int threads) {
  return std::min(threads, static_cast<int>(problem.groups().size()));
}

std::vector<EngineGroup> engine_groups(const Problem& problem) {
  std::vector<EngineGroup> groups;
  for (const PreparedGroup& group : problem.groups())
    groups.push_back({&group, &problem.sides().training, &problem.sides().validation});
  return groups;
}

}  // namespace

Steps::Steps(const Problem& problem, int threads)
    : problem_(problem),
      team_(groups_at_once(problem, threads)),
      engine_(
          make_engine(engine_groups(problem), team_, threads / groups_at_once(problem, threads))) {}

std::size_t Steps::rows_per_step() const {
  return problem_.order().size() / settings().steps_per_epoch;
}

void Steps::chapter(std::size_t count) {
  std::vector<GroupBatches> batches;
  for (std::size_t group = 0; group < problem_.groups().size(); ++group) {
    batches.push_back(
        {.group = group, .epoch = 1, .rows = problem_.order(), .first = next_, .count = count});
  }
  engine_->run(batches, [] { return true; });
  next_ = (next_ + count) % settings().steps_per_epoch;
}

double Steps::run(std::size_t count) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t left = count; left > 0;) {
    const std::size_t now = std::min(left, settings().steps_per_epoch - next_);
    chapter(now);
    left -= now;
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return taken.count() / static_cast<double>(count);
}

}  // namespace softwood
