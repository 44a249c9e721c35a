#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "softwood/train.h"
#include "train/checkpoint/checkpoint_file.h"
#include "train/descent/run_state.h"
#include "train/prepare/preparation.h"

namespace softwood {

/// The checkpoints of one training: what it goes on from, and what it leaves for others to go on
/// from. Without a path nothing is ever due.
class Checkpoints {
 public:
  /// Reads the checkpoint to resume from, if there is one; with the last one damaged, the one
  /// before it. Throws Error if both are, if it belongs to another run, or if a checkpoint of a
  /// training that has not ended would be replaced. `on_checkpoint`: told after every attempt to
  /// write one whether it was written; never empty.
  Checkpoints(CheckpointOptions options, const TrainOptions& training, Words words,
              std::function<void(bool)> on_checkpoint);

  /// Where to go on. None: from the beginning. To be called once, when the tables are prepared;
  /// throws Error if they are not the same.
  std::optional<RunState> take_up(const Preparation& preparation);

  /// Asked after every step, by any thread.
  bool is_due(int whole_epochs) const;
  bool is_wanted() const { return !options_.path.empty(); }
  /// A disk that refuses ends no training: it is told, and the last checkpoint stays. `has_ended`:
  /// nothing would be lost with it.
  void save(const RunState& state, bool has_ended);

 private:
  void find_latest();
  /// To people. Whatever a warning does to whoever is strict about tables, it ends no training
  /// here.
  void tell(const std::string& text) const;
  void tell_of_failure(const std::string& reason) const;

  const CheckpointOptions options_;
  const Words words_;
  const std::function<void(bool)> on_checkpoint_;
  nlohmann::json about_;  // of this run
  std::optional<CheckpointContent> latest_;
  int saved_at_epoch_ = 0;
  std::chrono::steady_clock::time_point saved_at_ = std::chrono::steady_clock::now();
};

}  // namespace softwood
