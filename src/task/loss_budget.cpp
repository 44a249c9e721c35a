#include "task/loss_budget.h"

#include <algorithm>

#include <fmt/format.h>

#include "loss/language/limits.h"
#include "softwood/error.h"

namespace softwood {
namespace {

/// Some two seconds, with the loss that may come to its own limit.
constexpr std::size_t kFreeSteps = loss::kMaxSteps / 2;
/// A program takes some kilobytes, however short its text.
constexpr std::size_t kLeastSteps = 400;
/// More than any of the catalogue: a loss's steps grow with its outputs, and so does the file.
constexpr std::size_t kStepsPerOutput = 300;

}  // namespace

void LossBudget::expect_room() const {
  const std::size_t most = kFreeSteps + kStepsPerOutput * num_outputs_;
  if (steps_ <= most) return;
  throw Error(
      fmt::format("the losses of this model take more than {} steps to compile together, which is "
                  "the limit: use smaller vectors, the same loss for several responses, or several "
                  "models.",
                  most));
}

void LossBudget::take(const LossProgram& program, const loss::StepMeter& meter) {
  steps_ += std::max(meter.steps(), kLeastSteps);
  num_outputs_ += program.outputs().size();
}

bool have_same_loss(const Task& one, const Task& other) {
  const LossSource &first = one.program.source(), &second = other.program.source();
  return one.labels.size() == other.labels.size() && first.name == second.name &&
         first.text == second.text && first.settings == second.settings;
}

}  // namespace softwood
