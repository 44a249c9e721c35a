#pragma once

#include <functional>
#include <string>
#include <vector>

#include "softwood/model.h"
#include "softwood/options.h"
#include "softwood/table.h"

namespace softwood {

/// Where training stands, for progress bars.
struct Progress {
  int epoch = 0;   ///< from 1
  int epochs = 0;  ///< at most
  int member = 1;  ///< from 1
  int members = 1;
  double fraction = 0;  ///< of all steps
  double rows_per_second = 0;
  double seconds = 0;
  double seconds_left = 0;
};

/// What people watch, in one line: "train 2.3264  valid 2.4943  best 2.4905 at 121". Two or three
/// tasks have their losses side by side; of more, whose losses have units that nobody could add, it
/// is the mean of each loss as a share of the constant's.
std::string epoch_text(const EpochResult& result);

struct Hooks {
  /// Asked a few times a second from the start, also before the first epoch, when there is no
  /// progress to tell yet; true stops training.
  std::function<bool()> should_stop = {};
  /// Called a few times a second; false stops training (the best weights so far are kept).
  std::function<bool(const Progress&)> on_progress = {};
  /// Called after each epoch; false stops training.
  std::function<bool(const Progress&, const EpochResult&)> on_epoch = {};
  /// Things a user may want to know: dropped columns, rows without a response.
  std::function<void(const std::string&)> on_note = {};
  /// Things a user should look at: what looks like a mistake in the table. A sink that throws ends
  /// the training before it begins: that is how strictness is made.
  std::function<void(const std::string&)> on_warning = {};
  /// Called after each attempt to write a checkpoint: whether it was written.
  std::function<void(bool)> on_checkpoint = {};
};

/// How a training outlives the process that runs it. None of it changes what is learned:
/// docs/reliability.md.
struct CheckpointOptions {
  std::string path = {};     ///< of the checkpoint; empty: none is written
  int every_epochs = 0;      ///< 0: by the clock alone
  double every_minutes = 5;  ///< not counted where every_epochs is given
  bool resume = false;       ///< go on from `path`, where there is one
};

/// What a training begins with. All borrowed.
struct TrainingInput {
  const Table* table = nullptr;       ///< required
  const Table* validation = nullptr;  ///< rows to stop early on; without it they are split off
  /// A finished model to train on; its options hold, see docs/warm_start.md.
  const Model* start_from = nullptr;
  /// With start_from: its trees stay as they are, and so many new ones learn what they leave.
  int add_trees = 0;
  CheckpointOptions checkpoint = {};
};

/// Learns a model. Same input, options and SIMD target: same bits, whatever `threads`, interrupted
/// and resumed or not. Throws Error, and Stopped if a hook stopped it before the first epoch.
Model train(const TrainingInput& input, const TrainOptions& options, const Hooks& hooks = {});
/// The same, without a checkpoint, from the beginning.
Model train(const Table& table, const TrainOptions& options, const Hooks& hooks = {});
Model train(const Table& table, const Table& validation, const TrainOptions& options,
            const Hooks& hooks = {});

}  // namespace softwood
