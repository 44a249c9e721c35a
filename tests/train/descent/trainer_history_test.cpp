#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "train/descent/trainer_scene.h"

namespace softwood {
namespace {

using testing::Each;
using testing::ElementsAre;

TEST(TrainerHistory, history_has_every_epoch_and_hooks_can_end_it) {
  Hooks hooks;
  hooks.on_epoch = [](const Progress& progress, const EpochResult& result) {
    EXPECT_EQ(progress.epoch, result.epoch);
    EXPECT_GT(progress.fraction, 0);
    return result.epoch < 4;
  };
  const TrainedRun run(Scene{}, true, true, hooks);
  ASSERT_EQ(run.trainer.history().size(), 4u);
  for (std::size_t epoch = 0; epoch < 4; ++epoch) {
    const EpochResult& result = run.trainer.history()[epoch];
    EXPECT_EQ(result.epoch, static_cast<int>(epoch) + 1);
    EXPECT_EQ(result.training_loss.size(), 1u);
    EXPECT_EQ(result.validation_loss.size(), 1u);
  }
}

/// The least of the first epochs, and in which it was.
std::pair<double, int> least_until(const std::vector<EpochResult>& history, std::size_t end) {
  std::pair<double, int> least = {std::numeric_limits<double>::infinity(), 0};
  for (std::size_t i = 0; i < end; ++i) {
    if (history[i].validation_loss[0] < least.first)
      least = {history[i].validation_loss[0], history[i].epoch};
  }
  return least;
}

/// Steps so large that losses rise and fall.
Scene restless(std::vector<const char*> losses = {"squared"}) {
  Scene scene(std::move(losses));
  scene.settings.epochs = 16;
  scene.settings.schedule = {.kind = Schedule::Kind::doubling, .cycle_steps = 12};
  scene.settings.average = 0;
  return scene;
}

TEST(TrainerHistory, of_a_group_alone_the_best_so_far_is_the_least_so_far) {
  const TrainedRun run(restless(), true, false);
  const std::vector<EpochResult>& history = run.trainer.history();
  int num_worse = 0;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const auto [loss, epoch] = least_until(history, i + 1);
    EXPECT_EQ(history[i].best_validation_loss[0], loss);
    EXPECT_EQ(history[i].best_epoch, epoch);
    EXPECT_EQ(history[i].best, epoch == history[i].epoch);
    num_worse += history[i].best ? 0 : 1;
  }
  EXPECT_GT(num_worse, 0);
}

TEST(TrainerHistory, of_few_trees_the_best_so_far_is_that_of_the_better_group_never_of_their_mean) {
  Scene scene = restless();
  scene.settings.one_group = true;
  const TrainedRun both(scene, true, true), wide(scene, true, false), narrow(scene, false, true);
  for (std::size_t i = 0; i < both.trainer.history().size(); ++i) {
    const auto first = least_until(wide.trainer.history(), i + 1);
    const auto second = least_until(narrow.trainer.history(), i + 1);
    const EpochResult& result = both.trainer.history()[i];
    EXPECT_EQ(std::pair(result.best_validation_loss[0], result.best_epoch),
              std::min(first, second));
  }
}

TEST(TrainerHistory, the_best_so_far_is_what_would_be_kept_if_it_ended_there) {
  const std::vector<const char*> losses = {"squared", "logistic"};
  const TrainedRun whole(restless(losses), true, true);
  for (const int end : {1, 2, 3, 5, 8, 13, 16}) {
    Hooks hooks;
    hooks.on_epoch = [&](const Progress& progress, const EpochResult&) {
      return progress.epoch < end;
    };
    const TrainedRun part(restless(losses), true, true, hooks);
    const EpochResult& told = whole.trainer.history()[static_cast<std::size_t>(end - 1)];
    EXPECT_EQ(told.best_epoch, part.trainer.best_epoch()) << end;
    for (std::size_t task = 0; task < 2; ++task) {
      const double kept = part.trainer.validation_losses()[task];
      EXPECT_NEAR(told.best_validation_loss[task], kept, 0.05 * kept) << end;
    }
  }
}

TEST(TrainerHistory, the_last_line_of_the_history_is_what_is_kept) {
  for (const bool stops_early : {false, true}) {
    Hooks hooks;
    hooks.on_epoch = [&](const Progress& progress, const EpochResult&) {
      return !stops_early || progress.epoch < 7;
    };
    const TrainedRun run(restless({"squared", "logistic"}), true, true, hooks);
    const std::vector<EpochResult>& history = run.trainer.history();
    EXPECT_EQ(history.back().best_validation_loss, run.trainer.validation_losses());
    EXPECT_EQ(history.back().best_epoch, run.trainer.best_epoch());
    int last = 0, latest = 0;
    for (const EpochResult& result : history) last = result.best ? result.epoch : last;
    for (const GroupRecord& outcome : run.trainer.outcomes()) {
      for (const int epoch : outcome.best_epochs()) latest = std::max(latest, epoch);
    }
    EXPECT_EQ(last, latest);
    EXPECT_EQ(last, run.trainer.best_epoch());
  }
}

TEST(TrainerHistory, an_epoch_that_is_broken_off_is_in_the_history_if_it_is_kept) {
  Hooks hooks;
  hooks.on_progress = [](const Progress& progress) { return progress.epoch < 3; };
  Scene scene = restless();
  scene.settings.epochs = 1000000;
  const TrainedRun run(scene, true, true, hooks);
  EXPECT_GE(run.trainer.history().back().epoch, run.trainer.best_epoch());
  EXPECT_EQ(run.trainer.history().back().best_validation_loss, run.trainer.validation_losses());
}

TEST(TrainerHistory, says_how_many_epochs_were_asked_for_from_the_first_on) {
  for (const bool validates : {true, false}) {
    Scene scene;
    if (!validates)
      scene.validation =
          select_examples(scene.validation.positions, scene.validation.responses, {}, {});
    scene.settings.epochs = 3;
    scene.settings.cycle_epochs = 3 / 15.0;
    scene.settings.epochs_are_given = validates;
    std::vector<int> told;
    Hooks hooks;
    hooks.on_epoch = [&](const Progress& progress, const EpochResult&) {
      told.push_back(progress.epochs);
      return true;
    };
    const TrainedRun run(scene, true, false, hooks);
    EXPECT_THAT(told, Each(3));
    EXPECT_EQ(run.trainer.history().back().best_epoch, validates ? run.trainer.best_epoch() : 3);
    EXPECT_EQ(run.trainer.history().back().best_validation_loss.size(), validates ? 1u : 0u);
  }
}

}  // namespace
}  // namespace softwood
