#pragma once

#include <cstddef>

#include "loss/language/step_meter.h"
#include "task/task.h"

namespace softwood {

/// What the losses of one model may take to compile, all together, in the steps of a loss's own
/// limit: a file of many small texts must not take a processor's evening.
class LossBudget {
 public:
  /// Before the next one is compiled. Throws Error if those so far have taken all there is: only
  /// the last may come to its own limit.
  void expect_room() const;
  void take(const LossProgram& program, const loss::StepMeter& meter);

 private:
  std::size_t steps_ = 0, num_outputs_ = 0;
};

/// They have the same loss, which a model file's reader compiles once.
bool have_same_loss(const Task& one, const Task& other);

}  // namespace softwood
