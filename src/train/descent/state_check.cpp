#include "train/descent/state_check.h"

#include <algorithm>
#include <cmath>

#include "softwood/error.h"

namespace softwood {
namespace {

void expect(bool fits) {
  if (!fits) throw Error("the saved state does not fit this training, or it is damaged.");
}

template <class List>
bool are_finite(const List& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](auto each) { return std::isfinite(each); });
}

/// Its own weights; what they make of rows that are not numbers may be none.
void expect_weights(const AlignedVector<float>& numbers, std::size_t size) {
  expect(numbers.size() == size && are_finite(numbers));
}

void expect_descent(const DescentState& state, const DescentState& start) {
  expect_weights(state.parameters, start.parameters.size());
  expect_weights(state.first_moments, start.first_moments.size());
  expect_weights(state.second_moments, start.second_moments.size());
  expect_weights(state.averages, start.averages.size());
  expect(std::all_of(state.second_moments.begin(), state.second_moments.end(),
                     [](float each) { return each >= 0; }));
  expect(state.losses.size() == start.losses.size());
}

void expect_snapshot(const Snapshot* snapshot, const GroupState& start, int epoch,
                     std::size_t num_scores) {
  if (snapshot == nullptr) return;
  expect(snapshot->epoch >= 0 && snapshot->epoch <= epoch);
  expect(snapshot->scores.size() == num_scores);
  expect(snapshot->values.size() == start.descents.size());
  for (std::size_t member = 0; member < snapshot->values.size(); ++member)
    expect_weights(snapshot->values[member], start.descents[member].parameters.size());
}

void expect_best(const BestEpochs::State& best, const GroupState& start, int epoch,
                 std::size_t num_scores) {
  expect(best.tasks.size() == start.best.tasks.size());
  for (const BestEpochs::Best& each : best.tasks)
    expect_snapshot(each.snapshot.get(), start, epoch, num_scores);
  expect_snapshot(best.together.get(), start, epoch, num_scores);
  expect(best.latest_gain >= 0 && best.latest_gain <= epoch);
}

/// A group that goes on is somewhere in the epoch under way.
void expect_steps(const GroupState& state, int epoch, std::size_t steps_per_epoch) {
  const std::size_t before = static_cast<std::size_t>(epoch - 1) * steps_per_epoch;
  for (const DescentState& descent : state.descents) {
    expect(descent.steps_done <= before + steps_per_epoch);
    expect(state.is_finished || descent.steps_done >= before);
  }
}

void expect_group(const GroupState& state, const GroupState& start, int epoch,
                  const GroupFrame& frame) {
  expect(state.descents.size() == start.descents.size());
  for (std::size_t member = 0; member < state.descents.size(); ++member)
    expect_descent(state.descents[member], start.descents[member]);
  expect_steps(state, epoch, frame.steps_per_epoch);
  expect_best(state.best, start, epoch, frame.num_scores);
  // Cycles double: there is no time for more.
  expect(state.cycles.cycle >= 1 && state.cycles.cycle < 31);
  if (epoch == 1 && state.training_losses.empty()) return;
  expect(state.training_losses.size() == start.descents[0].losses.size());
  expect(state.scores.size() == frame.num_scores);
}

void expect_choice(const KeptGroups::Choice& choice, std::size_t num_parts, int epoch) {
  expect(choice.epochs.size() == num_parts && choice.weights.size() == num_parts);
  expect(are_finite(choice.weights));
  for (const int each : choice.epochs) expect(each >= KeptGroups::kNotKept && each <= epoch);
  expect(choice.weighed_at >= 0 && choice.weighed_at <= epoch);
}

void expect_result(const EpochResult& result, std::size_t place, std::size_t num_tasks) {
  expect(result.epoch == static_cast<int>(place) + 1);
  expect(result.best_epoch <= result.epoch);
  expect(result.training_loss.size() == num_tasks);
  for (const auto* losses :
       {&result.validation_loss, &result.best_validation_loss, &result.constant_loss})
    expect(losses->empty() || losses->size() == num_tasks);
}

}  // namespace

void expect_state_of_run(const RunState& state, const RunState& start,
                         const std::vector<GroupFrame>& frames) {
  expect(state.epoch >= 1 && state.whole_epochs == state.epoch - 1);
  expect(state.groups.size() == frames.size());
  for (std::size_t index = 0; index < frames.size(); ++index)
    expect_group(state.groups[index], start.groups[index], state.epoch, frames[index]);
  expect(state.kept.choices.size() == start.kept.choices.size());
  const std::size_t num_tasks = state.kept.choices.size();
  for (std::size_t task = 0; task < num_tasks; ++task)
    expect_choice(state.kept.choices[task], start.kept.choices[task].weights.size(), state.epoch);
  expect(state.kept.losses.size() == start.kept.losses.size());
  expect(state.history.size() == static_cast<std::size_t>(state.whole_epochs));
  for (std::size_t place = 0; place < state.history.size(); ++place)
    expect_result(state.history[place], place, num_tasks);
}

}  // namespace softwood
