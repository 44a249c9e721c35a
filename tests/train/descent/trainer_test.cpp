#include "train/descent/trainer.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "softwood/error.h"
#include "task/raw_outputs.h"
#include "train/descent/examples_loss.h"
#include "train/descent/trainer_scene.h"

namespace softwood {
namespace {

using testing::Each;
using testing::ElementsAre;

std::vector<double> weights(const GroupRecord& outcome) {
  std::vector<double> all;
  for (const GroupRecord::Share& share : outcome.shares) all.push_back(share.weight);
  return all;
}

TEST(Trainer, the_blend_is_the_weighted_sum_of_what_the_groups_learn_alone) {
  const TrainedRun both(Scene({"squared", "logistic"}), true, true);
  const TrainedRun wide(Scene({"squared", "logistic"}), true, false),
      narrow(Scene({"squared", "logistic"}), false, true);
  EXPECT_THAT(weights(wide.trainer.outcomes()[0]), Each(1.0));
  const auto& outcomes = both.trainer.outcomes();
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_EQ(outcomes[0].kind, GroupKind::wide);
  EXPECT_EQ(outcomes[1].kind, GroupKind::narrow);
  EXPECT_EQ(outcomes[0].best_epochs(), wide.trainer.outcomes()[0].best_epochs());
  EXPECT_EQ(outcomes[1].best_epochs(), narrow.trainer.outcomes()[0].best_epochs());
  EXPECT_NE(outcomes[0].shares[0].weight, outcomes[0].shares[1].weight);  // each task has its own

  const Examples& rows = both.scene.validation;
  const std::vector<double> blended = sums(both.trainer.blended(0), rows);
  const std::vector<double> first = sums(wide.trainer.blended(0), rows);
  const std::vector<double> second = sums(narrow.trainer.blended(0), rows);
  ASSERT_EQ(blended.size(), 2 * rows.size());
  for (std::size_t i = 0; i < blended.size(); ++i) {
    const std::size_t task = i / rows.size();
    EXPECT_NEAR(
        blended[i],
        outcomes[0].shares[task].weight * first[i] + outcomes[1].shares[task].weight * second[i],
        1e-5);
  }
}

TEST(Trainer, validation_losses_are_those_of_the_blend) {
  const TrainedRun run(Scene({"squared", "logistic"}), true, true);
  const std::vector<double> f =
      in_units(run.scene.tasks, sums(run.trainer.blended(0), run.scene.validation));
  const std::vector<double> truth = mean_losses(run.scene.tasks, run.scene.validation, f);
  const std::vector<double> told = run.trainer.validation_losses();
  ASSERT_EQ(told.size(), 2u);
  for (std::size_t task = 0; task < 2; ++task) EXPECT_NEAR(told[task], truth[task], 1e-5);
}

TEST(Trainer, the_blend_is_no_worse_than_equal_weights) {
  const TrainedRun both(Scene{}, true, true), wide(Scene{}, true, false),
      narrow(Scene{}, false, true);
  const Scene& scene = both.scene;
  std::vector<double> g = sums(wide.trainer.blended(0), scene.validation);
  const std::vector<double> other = sums(narrow.trainer.blended(0), scene.validation);
  for (std::size_t row = 0; row < g.size(); ++row) g[row] = (g[row] + other[row]) / 2;
  const std::vector<double> f = in_units(scene.tasks, g);
  EXPECT_LE(both.trainer.validation_losses()[0],
            mean_losses(scene.tasks, scene.validation, f)[0] + 1e-6);
}

TEST(Trainer, a_group_whose_validation_loss_is_not_finite_is_left_out) {
  Scene scene;
  // Wide trees read the second column, narrow ones do not.
  scene.spoil_validation({100 + 7});
  const TrainedRun run(scene, true, true);
  EXPECT_THAT(weights(run.trainer.outcomes()[0]), ElementsAre(0));
  EXPECT_THAT(weights(run.trainer.outcomes()[1]), ElementsAre(1));
  EXPECT_TRUE(std::isfinite(run.trainer.validation_losses()[0]));
  const EnsembleShape shape = run.trainer.blended(0).ensemble.shape();
  EXPECT_EQ(shape.num_trees(), 5u);
  EXPECT_THAT(shape.columns_in_use(), ElementsAre(0));
}

TEST(Trainer, no_finite_validation_loss_at_all_is_an_error) {
  Scene scene;
  scene.spoil_validation({7, 100 + 7});
  try {
    const TrainedRun run(scene, true, true);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("never finite"));
  }
}

TEST(Trainer, one_group_is_the_one_that_validates_best) {
  Scene scene;
  scene.settings.one_group = true;
  const TrainedRun both(scene, true, true), wide(scene, true, false), narrow(scene, false, true);
  const double first = wide.trainer.validation_losses()[0];
  const double second = narrow.trainer.validation_losses()[0];
  ASSERT_NE(first, second);
  EXPECT_EQ(both.trainer.validation_losses()[0], std::min(first, second));
  EXPECT_THAT(weights(both.trainer.outcomes()[first < second ? 0 : 1]), ElementsAre(1));
  EXPECT_THAT(weights(both.trainer.outcomes()[first < second ? 1 : 0]), ElementsAre(0));
  EXPECT_EQ(both.trainer.blended(0).ensemble.shape().num_trees(), 5u);
}

TEST(Trainer, without_validation_rows_groups_weigh_alike_and_the_last_epoch_counts) {
  Scene scene;
  scene.validation =
      select_examples(scene.validation.positions, scene.validation.responses, {}, {});
  const TrainedRun run(scene, true, true);
  for (const GroupRecord& outcome : run.trainer.outcomes()) {
    EXPECT_THAT(weights(outcome), ElementsAre(0.5));
    EXPECT_THAT(outcome.best_epochs(), ElementsAre(6));
  }
  EXPECT_TRUE(run.trainer.validation_losses().empty());
}

const Hooks kNoHooks;  // a trainer borrows them

/// A wide group for all tasks, and one for each of them alone.
std::vector<PreparedGroup> shared_and_own(const Scene& scene, bool shared) {
  std::vector<PreparedGroup> result;
  if (shared) result.push_back({scene.settings, scene.group(false), scene.tasks, scene.wide()});
  for (const Task& task : scene.tasks) {
    FeatureSpace space = scene.space;
    space.num_outputs = task.num_outputs();
    result.push_back({scene.settings, scene.group(false), scene.tasks.only(task.index_in_model),
                      initial_wide_trees(scene.settings, scene.group(false), space, 0)});
  }
  return result;
}

TEST(Trainer, trees_of_one_task_learn_as_if_it_were_alone) {
  Scene scene({"squared", "logistic"});
  const TrainingAndValidation sides = scene.sides();
  Trainer own(scene.settings, scene.tasks, one_member(shared_and_own(scene, false), sides),
              sides.validation, {}, kNoHooks);
  own.run();
  const std::vector<double> both = sums(own.blended(0), scene.validation);
  EXPECT_TRUE(own.outcomes()[1].is_private);
  for (std::size_t place = 0; place < 2; ++place) {
    std::vector<PreparedGroup> prepared = shared_and_own(scene, false);
    Scene lonely = scene;
    lonely.tasks = Tasks({scene.tasks[place]});
    lonely.training.responses = {scene.training.responses[place]};
    lonely.validation.responses = {scene.validation.responses[place]};
    prepared[place].tasks = lonely.tasks;
    std::vector<PreparedGroup> one = {std::move(prepared[place])};
    const TrainingAndValidation lonely_sides = lonely.sides();
    Trainer single(scene.settings, lonely.tasks, one_member(std::move(one), lonely_sides),
                   lonely_sides.validation, {}, kNoHooks);
    single.run();
    const std::vector<double> expected = sums(single.blended(0), scene.validation);
    const std::size_t rows = scene.validation.size();
    const std::vector<double> actual(
        both.begin() + static_cast<std::ptrdiff_t>(place * rows),
        both.begin() + static_cast<std::ptrdiff_t>((place + 1) * rows));
    EXPECT_EQ(actual, expected);
  }
}

TEST(Trainer, shared_and_own_trees_are_added_task_by_task) {
  Scene scene({"squared", "logistic"});
  const TrainingAndValidation sides = scene.sides();
  Trainer trainer(scene.settings, scene.tasks, one_member(shared_and_own(scene, true), sides),
                  sides.validation, {}, kNoHooks);
  trainer.run();
  ASSERT_EQ(trainer.outcomes().size(), 3u);
  EXPECT_EQ(trainer.outcomes()[1].shares[1].weight, 0);  // of the other's own trees
  EXPECT_EQ(trainer.outcomes()[2].shares[0].weight, 0);
  const std::vector<double> f = in_units(scene.tasks, sums(trainer.blended(0), scene.validation));
  const std::vector<double> truth = mean_losses(scene.tasks, scene.validation, f);
  const std::vector<double> told = trainer.validation_losses();
  for (std::size_t task = 0; task < 2; ++task) EXPECT_NEAR(told[task], truth[task], 1e-5);
  EXPECT_EQ(trainer.history()[0].validation_loss.size(), 2u);
}

TEST(Trainer, a_task_of_noise_does_not_end_the_learning_of_another) {
  Scene scene({"squared", "squared"});
  scene.settings.epochs = 40;
  const RandomStream random(5, "noise");
  std::uint64_t counter = 0;
  for (Examples* side : {&scene.training, &scene.validation}) {
    for (double& y : side->responses[1].y) y = random.uniform(counter++) - 0.5;
  }
  scene.tasks[1].units = find_units(scene.tasks[1].program, scene.training.responses[1].view(), {});
  const TrainedRun run(scene, true, false);
  EXPECT_EQ(run.trainer.outcomes()[0].best_epochs().size(), 2u);
  EXPECT_LT(run.trainer.validation_losses()[0], 0.5);
  const std::vector<double> f =
      in_units(scene.tasks, sums(run.trainer.blended(0), scene.validation));
  const std::vector<double> truth = mean_losses(scene.tasks, scene.validation, f);
  for (std::size_t task = 0; task < 2; ++task) {
    EXPECT_NEAR(run.trainer.validation_losses()[task], truth[task], 1e-5);
  }
}

TEST(Trainer, threads_change_no_bit) {
  Scene scene;
  const TrainedRun alone(scene, true, true);
  for (const int threads : {2, 3, 5}) {
    scene.settings.threads = threads;
    const TrainedRun run(scene, true, true);
    EXPECT_EQ(run.trainer.blended(0).values, alone.trainer.blended(0).values) << threads;
    EXPECT_EQ(run.trainer.validation_losses(), alone.trainer.validation_losses());
  }
}

}  // namespace
}  // namespace softwood
