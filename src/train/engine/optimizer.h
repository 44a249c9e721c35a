#pragma once

#include <span>
#include <vector>

#include "train/choices/settings.h"
#include "train/engine/adam.h"
#include "train/engine/coupling.h"
#include "train/engine/descent_state.h"
#include "train/engine/weight_average.h"
#include "train/start/prepared_group.h"
#include "tree/ensemble.h"

namespace softwood {

/// Turns gradients into new parameters: Adam, the coupling of tasks, the average of the weights.
/// Engines call it family by family, while the gradients are in the cache. It keeps nothing.
class Optimizer {
 public:
  /// Bundles that are updated together: one, or the same trees of several tasks.
  struct Family {
    std::size_t first = 0, count = 1;  ///< bundles
    std::size_t begin = 0, end = 0;    ///< floats of an ensemble buffer
    // Of a coupled family, how hard its splits are pulled together, and where these stand:
    std::vector<float> strengths{};
    CoupledPieces weights{}, biases{};
  };
  /// What all families of one step have in common.
  struct Step {
    AdamStep splits, leaves;
  };

  /// `group` is borrowed.
  explicit Optimizer(const PreparedGroup& group);

  std::span<const Family> families() const { return families_; }
  /// Of the learning rate, for the step after so many.
  double rate_factor(std::size_t steps_done) const;
  Step step_after(std::size_t steps_done) const;
  bool clips() const { return settings_.clip > 0; }
  /// Bounds the norm of all gradients of the group.
  void clip(double norm, Step& step) const;

  /// Moves the family's parts of the state and finds its `values`, the curves of the parameters,
  /// anew. `gradients`: of the values, or of the parameters if it clips(); used up. Both are
  /// ensemble buffers.
  void update(const Family& family, const Step& step, std::span<float> gradients,
              DescentState& state, std::span<float> values) const;

 private:
  AdamStep adam_step(double rate, std::size_t steps_done) const;
  void gather_families(std::size_t num_coupled);
  void update_one(std::size_t bundle, const Step& step, std::span<float> gradients,
                  DescentState& state, std::span<float> values) const;
  void update_several(const Family& family, const Step& step, std::span<float> gradients,
                      DescentState& state, std::span<float> values) const;

  const Settings& settings_;
  const GroupSettings& group_;
  const Ensemble& ensemble_;
  WeightAverage average_;
  std::size_t num_steps_;
  std::vector<Family> families_;
};

}  // namespace softwood
