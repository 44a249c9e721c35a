#include "train/descent/run_state.h"

#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "softwood/error.h"
#include "train/descent/member_scene.h"

namespace softwood {
namespace {

const Hooks kNoHooks;

/// Three groups: wide, narrow, and one whose tasks have splits of their own that are pulled
/// together; with all that a state may have to remember.
struct Course {
  Scene scene{{"squared", "logistic"}};
  TrainingAndValidation sides;

  Course() {
    scene.settings.epochs = 12;
    scene.settings.cycle_epochs = 1;
    scene.settings.schedule = {.kind = Schedule::Kind::doubling, .cycle_steps = 6};
    scene.settings.share_strength = 0.01;
    scene.settings.share_decay = 0.5;
    scene.settings.threads = 2;
    for (std::size_t row = 0; row < 300; row += 3)
      scene.training.responses[1].y[row] = std::numeric_limits<double>::quiet_NaN();
    sides = scene.sides();
  }
  std::vector<PreparedGroup> prepared() const {
    const std::vector<OutputRange> each = {{0, 1}, {1, 1}};
    InitialTrees coupled = repeat_for_outputs(scene.wide(), each);
    coupled.num_coupled = 2;
    FeatureSpace space = scene.space;
    space.num_outputs = 1;
    Settings shorter = scene.settings;
    shorter.epochs = 2;  // done long before the others
    return {{scene.settings, scene.group(false), scene.tasks, scene.wide()},
            {scene.settings, scene.group(true), scene.tasks, scene.narrow()},
            {scene.settings, scene.group(false), scene.tasks, std::move(coupled)},
            {shorter, scene.group(false), scene.tasks.only(1),
             initial_wide_trees(scene.settings, scene.group(false), space, 7)}};
  }
  Trainer trainer() const {
    return Trainer(scene.settings, scene.tasks, one_member(prepared(), sides), sides.validation, {},
                   kNoHooks);
  }
};

/// Two members with a linear part and a group that learns what it leaves.
struct CourseOfMembers {
  MemberScene members{scene()};

  static Scene scene() {
    Scene made({"squared", "logistic"});
    made.settings.epochs = 8;
    made.settings.cycle_epochs = 1;
    made.settings.schedule = {.kind = Schedule::Kind::doubling, .cycle_steps = 6};
    made.settings.threads = 2;
    for (std::size_t row = 0; row < 300; row += 3)
      made.training.responses[1].y[row] = std::numeric_limits<double>::quiet_NaN();
    return made;
  }
  Trainer trainer() const {
    return Trainer(members.scene.settings, members.scene.tasks, members.members(true),
                   members.judged, members.linear, kNoHooks);
  }
};

/// All that is left of a training, but for its seconds.
std::string outcome(const Trainer& trainer) {
  RunState state = trainer.state();
  for (EpochResult& result : state.history) result.seconds = 0;
  std::string bytes = to_bytes(state);
  for (std::size_t member = 0; member < state.groups[0].descents.size(); ++member) {
    const BlendedTrees trees = trainer.blended(member);
    bytes.append(reinterpret_cast<const char*>(trees.values.data()),
                 trees.values.size() * sizeof(float));
  }
  return bytes;
}

template <class AnyCourse>
const std::string& uninterrupted() {
  static const std::string bytes = [] {
    const AnyCourse course;
    Trainer trainer = course.trainer();
    trainer.run();
    return outcome(trainer);
  }();
  return bytes;
}

/// What is left of a run that rests after so many steps and goes on elsewhere; "" if it was over
/// before that.
template <class AnyCourse>
std::string outcome_with_a_rest(int rest_after) {
  const AnyCourse course;
  Trainer first = course.trainer();
  std::atomic<int> steps = 0;
  if (first.advance([&] { return ++steps >= rest_after; }) == Trainer::Halt::ended) return "";
  const RunState state = run_state_from_bytes(to_bytes(first.state()));
  Trainer second = course.trainer();
  second.set_state(state);
  second.run();
  return outcome(second);
}

RC_GTEST_PROP(RunState, a_run_that_rests_at_any_step_and_goes_on_elsewhere_ends_with_the_same_bits,
              ()) {
  const std::string end = outcome_with_a_rest<Course>(*rc::gen::inRange(1, 250));
  RC_ASSERT(end.empty() || end == uninterrupted<Course>());
}

RC_GTEST_PROP(RunState, several_members_with_a_linear_part_may_rest_at_any_step_too, ()) {
  const std::string end = outcome_with_a_rest<CourseOfMembers>(*rc::gen::inRange(1, 280));
  RC_ASSERT(end.empty() || end == uninterrupted<CourseOfMembers>());
}

TEST(RunState, a_run_may_rest_after_every_step) {
  const Course course;
  Trainer trainer = course.trainer();
  int rests = 0;
  while (trainer.advance([] { return true; }) != Trainer::Halt::ended) {
    ++rests;
    trainer.set_state(run_state_from_bytes(to_bytes(trainer.state())));
  }
  EXPECT_GT(rests, 20);
  EXPECT_EQ(outcome(trainer), uninterrupted<Course>());
}

TEST(RunState, what_several_tasks_keep_is_written_once) {
  const auto snapshot = std::make_shared<const Snapshot>(
      Snapshot{.epoch = 3, .values = {AlignedVector<float>(1000, 1.0F)}, .scores = {1, 2}});
  RunState state;
  state.groups.resize(1);
  state.groups[0].best.tasks = {{.loss = 1, .loss_together = 2, .snapshot = snapshot},
                                {.loss = 3, .loss_together = 4, .snapshot = snapshot}};
  state.groups[0].best.together = snapshot;
  const std::string bytes = to_bytes(state);
  EXPECT_LT(bytes.size(), 2 * 4000u);
  const RunState back = run_state_from_bytes(bytes);
  EXPECT_EQ(back.groups[0].best.tasks[0].snapshot, back.groups[0].best.tasks[1].snapshot);
  EXPECT_EQ(back.groups[0].best.together->values, snapshot->values);
}

TEST(RunState, bytes_that_are_cut_short_anywhere_are_refused) {
  const Course course;
  Trainer trainer = course.trainer();
  std::atomic<int> steps = 0;
  trainer.advance([&] { return ++steps >= 30; });
  const std::string bytes = to_bytes(trainer.state());
  for (std::size_t size = 0; size < bytes.size(); size += 997) {
    EXPECT_THROW(run_state_from_bytes(std::string_view(bytes).substr(0, size)), Error) << size;
  }
  EXPECT_THROW(run_state_from_bytes(bytes + "x"), Error);
}

}  // namespace
}  // namespace softwood
