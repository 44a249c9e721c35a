#pragma once

#include <memory>

#include "base/thread_team.h"
#include "step/problem.h"
#include "train/engine/engine.h"

namespace softwood {

/// The project's own engine on a problem, epoch after epoch, a few steps at a time.
class Steps {
 public:
  /// `problem` is borrowed. Groups share the threads out as a training does.
  Steps(const Problem& problem, int threads);

  /// Seconds of one step of all groups, the mean of `count`.
  double run(std::size_t count);
  std::size_t rows_per_step() const;

 private:
  void chapter(std::size_t count);
  const Settings& settings() const { return problem_.groups()[0].settings; }

  const Problem& problem_;
  ThreadTeam team_;
  std::unique_ptr<Engine> engine_;
  std::size_t next_ = 0;  // step of the epoch
};

}  // namespace softwood
