#include "train/descent/state_check.h"

#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "softwood/error.h"
#include "train/descent/member_scene.h"

namespace softwood {
namespace {

using Spoil = std::function<void(RunState&)>;

const Hooks kNoHooks;

/// A run of two tasks in its third epoch.
class StateCheck : public testing::TestWithParam<std::pair<const char*, Spoil>> {
 protected:
  StateCheck() {
    int steps = 0;
    Trainer first = trainer();
    first.advance([&] { return ++steps > 14; });
    state = first.state();
  }
  Trainer trainer() const {
    std::vector<PreparedGroup> groups;
    groups.push_back({scene.settings, scene.group(false), scene.tasks, scene.wide()});
    return Trainer(scene.settings, scene.tasks, one_member(std::move(groups), sides),
                   sides.validation, {}, kNoHooks);
  }

  Scene scene{{"squared", "logistic"}};
  TrainingAndValidation sides = scene.sides();
  RunState state;
};

TEST_F(StateCheck, a_state_of_the_same_run_is_taken) {
  ASSERT_EQ(state.epoch, 3);
  Trainer other = trainer();
  EXPECT_NO_THROW(other.set_state(state));
  other.run();
}

/// Snapshots are shared: a spoilt one takes the place of the other.
void spoil_snapshot(RunState& state, const std::function<void(Snapshot&)>& spoil) {
  Snapshot copy = *state.groups[0].best.tasks[0].snapshot;
  spoil(copy);
  state.groups[0].best.tasks[0].snapshot = std::make_shared<const Snapshot>(std::move(copy));
}

TEST_P(StateCheck, any_other_is_refused) {
  GetParam().second(state);
  Trainer other = trainer();
  EXPECT_THROW(other.set_state(state), Error);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

INSTANTIATE_TEST_SUITE_P(
    Spoilt, StateCheck,
    testing::Values(
        std::pair("epoch_0", Spoil([](RunState& s) { s.epoch = 0; })),
        std::pair("epoch_ahead", Spoil([](RunState& s) { s.epoch = s.whole_epochs = 1 << 30; })),
        std::pair("no_group", Spoil([](RunState& s) { s.groups.clear(); })),
        std::pair("no_member", Spoil([](RunState& s) { s.groups[0].descents.clear(); })),
        std::pair("short_parameters",
                  Spoil([](RunState& s) { s.groups[0].descents[0].parameters.pop_back(); })),
        std::pair("nan_parameter",
                  Spoil([](RunState& s) { s.groups[0].descents[0].parameters[3] = kNan; })),
        std::pair("short_moments",
                  Spoil([](RunState& s) { s.groups[0].descents[0].first_moments.clear(); })),
        std::pair("negative_second_moment",
                  Spoil([](RunState& s) { s.groups[0].descents[0].second_moments[0] = -1; })),
        std::pair("long_averages",
                  Spoil([](RunState& s) { s.groups[0].descents[0].averages.resize(99999); })),
        std::pair("steps_ahead",
                  Spoil([](RunState& s) { s.groups[0].descents[0].steps_done = ~0UL; })),
        std::pair("steps_behind",
                  Spoil([](RunState& s) { s.groups[0].descents[0].steps_done = 0; })),
        std::pair("losses_of_more_tasks",
                  Spoil([](RunState& s) { s.groups[0].descents[0].losses.resize(9); })),
        std::pair("best_of_more_tasks",
                  Spoil([](RunState& s) { s.groups[0].best.tasks.resize(9); })),
        std::pair("gain_ahead", Spoil([](RunState& s) { s.groups[0].best.latest_gain = 77; })),
        std::pair("cycle_1000", Spoil([](RunState& s) { s.groups[0].cycles.cycle = 1000; })),
        std::pair("few_scores", Spoil([](RunState& s) { s.groups[0].scores.pop_back(); })),
        std::pair("snapshot_of_few_scores", Spoil([](RunState& s) {
                    spoil_snapshot(s, [](Snapshot& each) { each.scores.clear(); });
                  })),
        std::pair("snapshot_without_trees", Spoil([](RunState& s) {
                    spoil_snapshot(s, [](Snapshot& each) { each.values.clear(); });
                  })),
        std::pair("snapshot_from_later", Spoil([](RunState& s) {
                    spoil_snapshot(s, [](Snapshot& each) { each.epoch = 9; });
                  })),
        std::pair("weight_of_trees_that_are_not_there", Spoil([](RunState& s) {
                    s.groups[0].best.tasks[0].snapshot = nullptr;
                    s.groups[0].best.together = nullptr;
                    s.kept.choices[0].weights[0] = 1;
                  })),
        std::pair("no_choice", Spoil([](RunState& s) { s.kept.choices.clear(); })),
        std::pair("choice_of_more_groups",
                  Spoil([](RunState& s) { s.kept.choices[0].weights.resize(5); })),
        std::pair("choice_from_later", Spoil([](RunState& s) { s.kept.choices[0].epochs[0] = 9; })),
        std::pair("infinite_weight", Spoil([](RunState& s) {
                    s.kept.choices[1].weights[0] = std::numeric_limits<double>::infinity();
                  })),
        std::pair("more_losses", Spoil([](RunState& s) { s.kept.losses.resize(7); })),
        std::pair("no_history", Spoil([](RunState& s) { s.history.clear(); })),
        std::pair("history_of_more_tasks",
                  Spoil([](RunState& s) { s.history[1].training_loss.resize(7); }))),
    [](const auto& each) { return each.param.first; });

}  // namespace
}  // namespace softwood
