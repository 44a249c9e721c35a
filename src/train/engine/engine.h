#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/thread_team.h"
#include "train/engine/descent_state.h"
#include "train/engine/reducer.h"
#include "train/prepare/examples.h"
#include "train/start/prepared_group.h"

namespace softwood {

/// A group of trees for an engine to train; all borrowed. Groups may be of several members, each
/// with rows of its own.
struct EngineGroup {
  const PreparedGroup* group = nullptr;
  const Examples* training = nullptr;
  const Examples* validation = nullptr;
};

/// What one group does in a chapter: some batches of an epoch, whose rows are given in their order.
struct GroupBatches {
  std::size_t group = 0;
  int epoch = 0;
  std::span<const std::uint32_t> rows{};  ///< of the epoch, as places among the training examples
  std::size_t first = 0, count = 0;       ///< batches, of PreparedGroup::settings.steps_per_epoch
  bool then_validate = false;             ///< if all of them were done
};

/// Runs gradient descent on a list of groups, each on its own loss, and owns the storage of their
/// states. A *chapter* is some batches of some groups: nothing goes in or out between its steps, so
/// that a device can run it alone, and many small groups fill the device together. A step is
///   load → forward → reduce outputs → loss → backward → reduce gradients → update.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Each group once at most. `go_on` is asked after each step, by any thread; false ends the
  /// chapter after the steps under way. Throws Error if a loss or gradient is not finite.
  virtual void run(std::span<const GroupBatches> chapter, const std::function<bool()>& go_on) = 0;

  /// Between chapters: how a checkpoint, another device or another engine gets the state.
  virtual DescentState export_state(std::size_t group) const = 0;
  virtual void import_state(std::size_t group, DescentState state) = 0;

  virtual std::size_t steps_done(std::size_t group) const = 0;
  /// Mean training loss per task of the group since the last call, in the user's units.
  virtual std::vector<double> take_training_losses(std::size_t group) = 0;

  /// The averaged weights as they were when the group was last validated: knot values, biases and
  /// leaves, an ensemble buffer.
  virtual std::span<const float> averaged_values(std::size_t group) const = 0;
  /// What they add up to on the validation rows, g [outputs × rows]; empty without such rows.
  virtual std::span<const double> validation_scores(std::size_t group) const = 0;

  /// The group's averaged weights on its validation rows, as then_validate does. For epochs that
  /// were cut short.
  virtual void validate(std::size_t group) = 0;
};

/// The engine that the environment variable SOFTWOOD_ENGINE names: `simd` (the default), or
/// `reference`, plain double code that whole runs are checked against. Throws Error for another
/// name. `team` shares out groups, and is borrowed; each group has `threads` threads inside.
std::unique_ptr<Engine> make_engine(std::vector<EngineGroup> groups, ThreadTeam& team, int threads);

}  // namespace softwood
