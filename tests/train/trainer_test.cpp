#include "train/trainer.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "softwood/error.h"
#include "train/raw_outputs.h"

namespace softwood {
namespace {

using testing::Each;
using testing::ElementsAre;

std::vector<double> weights(const GroupOutcome& outcome) {
  std::vector<double> all;
  for (const GroupOutcome::Share& share : outcome.shares) all.push_back(share.weight);
  return all;
}

/// Two linear columns and what they tell of two tasks: y = sin(2·first) + second, and whether that
/// is above 0.
struct Scene {
  std::vector<Task> tasks;
  Examples training, validation;
  Ground ground;
  Settings settings;

  explicit Scene(std::vector<const char*> losses = {"squared"}) {
    training = examples(300, 1);
    validation = examples(100, 2);
    for (const char* loss : losses) add_task(loss);
    const ColumnBasis linear{.kind = ColumnBasis::Kind::linear, .mean = {0}};
    ground = {.columns = {linear, linear}, .num_sources = 2, .num_outputs = num_outputs()};
    settings.depth = 2;
    settings.epochs = 6;
    settings.batch_size = 50;
    settings.steps_per_epoch = 6;
    settings.average = 1;
    settings.threads = 1;
  }

  static Examples examples(std::size_t num_rows, std::uint64_t seed) {
    const RandomStream random(seed, "trainer test");
    Examples result;
    result.rows = {.num_rows = num_rows, .num_columns = 2, .positions = {}};
    for (std::size_t i = 0; i < 2 * num_rows; ++i) {
      result.rows.positions.push_back(static_cast<float>(4 * random.uniform(i) - 2));
    }
    return result;
  }
  void add_task(const char* loss) {
    Task task;
    task.program = LossProgram::compile(find_loss(loss));
    task.first_output = tasks.empty() ? 0 : num_outputs();
    task.place = tasks.size();
    for (Examples* side : {&training, &validation}) {
      Responses& responses = side->tasks.emplace_back();
      for (std::size_t row = 0; row < side->size(); ++row) {
        const double y = std::sin(2 * side->rows.view()(0, row)) + side->rows.view()(1, row);
        responses.y.push_back(tasks.empty() ? y : y > 0);
      }
    }
    task.units = find_units(task.program, training.tasks.back().view(), {});
    tasks.push_back(std::move(task));
  }
  std::size_t num_outputs() const { return tasks.back().first_output + tasks.back().num_outputs(); }

  GroupSettings group(bool is_narrow) const {
    return {.is_narrow = is_narrow,
            .num_trees = 5,
            .learning_rate = is_narrow ? 0.05 : 0.1,
            .leaf_learning_rate = 0.1};
  }
  Plant wide() const { return plant_wide_trees(settings, group(false), ground, 0); }
  /// Trees that split the first column alone.
  Plant narrow() const {
    GreedyTree tree{.splits = {}, .leaves = std::vector<double>(4 * num_outputs(), 0.1)};
    for (int split = 0; split < 3; ++split) {
      tree.splits.emplace_back(
          GreedySplit{.column = 0, .threshold = 0.4F * static_cast<float>(split)});
    }
    return plant_narrow_trees(settings, ground, std::vector(5, tree));
  }
};

std::vector<double> sums(const Plant& plant, const Rows& rows) {
  ThreadTeam team(1);
  return tree_sums(plant.ensemble, plant.parameters, rows, team);
}

/// A wide and a narrow group, or one of them alone.
struct TrainedRun {
  Scene scene;
  Trainer trainer;

  TrainedRun(Scene world, bool with_wide, bool with_narrow, const Hooks& hooks = {})
      : scene(chosen(std::move(world), with_wide, with_narrow)),
        trainer(scene.settings, scene.tasks, planted(with_wide, with_narrow), scene.training,
                scene.validation, hooks) {
    trainer.run();
  }
  static Scene chosen(Scene world, bool with_wide, bool with_narrow) {
    if (with_wide) world.settings.groups.push_back(world.group(false));
    if (with_narrow) world.settings.groups.push_back(world.group(true));
    return world;
  }
  std::vector<PlantedGroup> planted(bool with_wide, bool with_narrow) const {
    std::vector<PlantedGroup> result;
    const auto add = [&](bool is_narrow, Plant plant) {
      result.push_back({scene.settings, scene.group(is_narrow), scene.tasks, std::move(plant)});
    };
    if (with_wide) add(false, scene.wide());
    if (with_narrow) add(true, scene.narrow());
    return result;
  }
};

TEST(Trainer, the_blend_is_the_weighted_sum_of_what_the_groups_learn_alone) {
  const TrainedRun both(Scene({"squared", "logistic"}), true, true);
  const TrainedRun wide(Scene({"squared", "logistic"}), true, false),
      narrow(Scene({"squared", "logistic"}), false, true);
  EXPECT_THAT(weights(wide.trainer.outcomes()[0]), Each(1.0));
  const auto& outcomes = both.trainer.outcomes();
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_FALSE(outcomes[0].is_narrow);
  EXPECT_TRUE(outcomes[1].is_narrow);
  EXPECT_EQ(outcomes[0].best_epochs(), wide.trainer.outcomes()[0].best_epochs());
  EXPECT_EQ(outcomes[1].best_epochs(), narrow.trainer.outcomes()[0].best_epochs());
  EXPECT_NE(outcomes[0].shares[0].weight, outcomes[0].shares[1].weight);  // each task has its own

  const Rows& rows = both.scene.validation.rows;
  const std::vector<double> blended = sums(both.trainer.blended(), rows);
  const std::vector<double> first = sums(wide.trainer.blended(), rows);
  const std::vector<double> second = sums(narrow.trainer.blended(), rows);
  ASSERT_EQ(blended.size(), 2 * rows.num_rows);
  for (std::size_t i = 0; i < blended.size(); ++i) {
    const std::size_t task = i / rows.num_rows;
    EXPECT_NEAR(
        blended[i],
        outcomes[0].shares[task].weight * first[i] + outcomes[1].shares[task].weight * second[i],
        1e-5);
  }
}

TEST(Trainer, validation_losses_are_those_of_the_blend) {
  const TrainedRun run(Scene({"squared", "logistic"}), true, true);
  const std::vector<double> f =
      in_units(run.scene.tasks, sums(run.trainer.blended(), run.scene.validation.rows));
  const std::vector<double> truth = mean_losses(run.scene.tasks, run.scene.validation, f);
  const std::vector<double> told = run.trainer.validation_losses();
  ASSERT_EQ(told.size(), 2u);
  for (std::size_t task = 0; task < 2; ++task) EXPECT_NEAR(told[task], truth[task], 1e-5);
}

TEST(Trainer, the_blend_is_no_worse_than_equal_weights) {
  const TrainedRun both(Scene{}, true, true), wide(Scene{}, true, false),
      narrow(Scene{}, false, true);
  const Scene& scene = both.scene;
  std::vector<double> g = sums(wide.trainer.blended(), scene.validation.rows);
  const std::vector<double> other = sums(narrow.trainer.blended(), scene.validation.rows);
  for (std::size_t row = 0; row < g.size(); ++row) g[row] = (g[row] + other[row]) / 2;
  const std::vector<double> f = in_units(scene.tasks, g);
  EXPECT_LE(both.trainer.validation_losses()[0],
            mean_losses(scene.tasks, scene.validation, f)[0] + 1e-6);
}

TEST(Trainer, a_group_whose_validation_loss_is_not_finite_is_left_out) {
  Scene scene;
  // Wide trees read the second column, narrow ones do not.
  scene.validation.rows.positions[100 + 7] = std::numeric_limits<float>::quiet_NaN();
  const TrainedRun run(scene, true, true);
  EXPECT_THAT(weights(run.trainer.outcomes()[0]), ElementsAre(0));
  EXPECT_THAT(weights(run.trainer.outcomes()[1]), ElementsAre(1));
  EXPECT_TRUE(std::isfinite(run.trainer.validation_losses()[0]));
  const EnsembleShape shape = run.trainer.blended().ensemble.shape();
  EXPECT_EQ(shape.num_trees(), 5u);
  EXPECT_THAT(shape.columns_in_use(), ElementsAre(0));
}

TEST(Trainer, no_finite_validation_loss_at_all_is_an_error) {
  Scene scene;
  for (const std::size_t at : {7u, 100u + 7u}) {
    scene.validation.rows.positions[at] = std::numeric_limits<float>::quiet_NaN();
  }
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
  EXPECT_EQ(both.trainer.blended().ensemble.shape().num_trees(), 5u);
}

TEST(Trainer, without_validation_rows_groups_weigh_alike_and_the_last_epoch_counts) {
  Scene scene;
  scene.validation = select_examples(scene.validation.rows, scene.validation.tasks, {}, {});
  const TrainedRun run(scene, true, true);
  for (const GroupOutcome& outcome : run.trainer.outcomes()) {
    EXPECT_THAT(weights(outcome), ElementsAre(0.5));
    EXPECT_THAT(outcome.best_epochs(), ElementsAre(6));
  }
  EXPECT_TRUE(run.trainer.validation_losses().empty());
}

const Hooks kNoHooks;  // a trainer borrows them

/// A wide group for all tasks, and one for each of them alone.
std::vector<PlantedGroup> shared_and_own(const Scene& scene, bool shared) {
  std::vector<PlantedGroup> result;
  if (shared) result.push_back({scene.settings, scene.group(false), scene.tasks, scene.wide()});
  for (const Task& task : scene.tasks) {
    Ground ground = scene.ground;
    ground.num_outputs = task.num_outputs();
    result.push_back({scene.settings, scene.group(false), as_tasks_of_a_group({task}),
                      plant_wide_trees(scene.settings, scene.group(false), ground, 0)});
  }
  return result;
}

TEST(Trainer, trees_of_one_task_learn_as_if_it_were_alone) {
  Scene scene({"squared", "logistic"});
  Trainer own(scene.settings, scene.tasks, shared_and_own(scene, false), scene.training,
              scene.validation, kNoHooks);
  own.run();
  const std::vector<double> both = sums(own.blended(), scene.validation.rows);
  EXPECT_TRUE(own.outcomes()[1].is_private);
  for (std::size_t place = 0; place < 2; ++place) {
    const std::vector<Task> alone = as_tasks_of_a_group({scene.tasks[place]});
    std::vector<PlantedGroup> planted = shared_and_own(scene, false);
    Scene lonely = scene;
    lonely.tasks = alone;
    lonely.tasks[0].place = 0;
    lonely.training.tasks = {scene.training.tasks[place]};
    lonely.validation.tasks = {scene.validation.tasks[place]};
    planted[place].tasks = lonely.tasks;
    std::vector<PlantedGroup> one = {std::move(planted[place])};
    Trainer single(scene.settings, lonely.tasks, std::move(one), lonely.training, lonely.validation,
                   kNoHooks);
    single.run();
    const std::vector<double> expected = sums(single.blended(), scene.validation.rows);
    const std::size_t rows = scene.validation.size();
    const std::vector<double> actual(
        both.begin() + static_cast<std::ptrdiff_t>(place * rows),
        both.begin() + static_cast<std::ptrdiff_t>((place + 1) * rows));
    EXPECT_EQ(actual, expected);
  }
}

/// The weights after two epochs over the rows in this order.
AlignedVector<float> learned(const Scene& scene, const std::vector<std::uint32_t>& order) {
  GroupTrainer trainer({scene.settings, scene.group(false), scene.tasks, scene.wide()},
                       scene.training, scene.validation, 1);
  for (int epoch = 1; epoch <= 2; ++epoch) {
    trainer.run_epoch(epoch, order, [] { return true; });
    trainer.finish_epoch(epoch);
  }
  return trainer.best(0)->values;
}

TEST(GroupTrainer, rows_without_a_response_of_its_tasks_take_no_place_in_its_batches) {
  Scene holed, whole;  // every other response is missing, or every other row
  whole.training = Scene::examples(150, 1);
  whole.training.tasks.emplace_back();
  std::vector<std::uint32_t> all, kept;
  for (std::uint32_t row = 0; row < 300; ++row) {
    all.push_back(row);
    if (row % 2 == 0) {
      holed.training.tasks[0].y[row] = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    for (std::size_t column = 0; column < 2; ++column) {
      whole.training.rows.positions[column * 150 + row / 2] =
          holed.training.rows.view()(column, row);
    }
    whole.training.tasks[0].y.push_back(holed.training.tasks[0].y[row]);
    kept.push_back(row / 2);
  }
  EXPECT_EQ(learned(holed, all), learned(whole, kept));
}

TEST(Trainer, shared_and_own_trees_are_added_task_by_task) {
  Scene scene({"squared", "logistic"});
  Trainer trainer(scene.settings, scene.tasks, shared_and_own(scene, true), scene.training,
                  scene.validation, kNoHooks);
  trainer.run();
  ASSERT_EQ(trainer.outcomes().size(), 3u);
  EXPECT_EQ(trainer.outcomes()[1].shares[1].weight, 0);  // of the other's own trees
  EXPECT_EQ(trainer.outcomes()[2].shares[0].weight, 0);
  const std::vector<double> f =
      in_units(scene.tasks, sums(trainer.blended(), scene.validation.rows));
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
    for (double& y : side->tasks[1].y) y = random.uniform(counter++) - 0.5;
  }
  scene.tasks[1].units = find_units(scene.tasks[1].program, scene.training.tasks[1].view(), {});
  const TrainedRun run(scene, true, false);
  EXPECT_EQ(run.trainer.outcomes()[0].best_epochs().size(), 2u);
  EXPECT_LT(run.trainer.validation_losses()[0], 0.5);
  const std::vector<double> f =
      in_units(scene.tasks, sums(run.trainer.blended(), scene.validation.rows));
  const std::vector<double> truth = mean_losses(scene.tasks, scene.validation, f);
  for (std::size_t task = 0; task < 2; ++task) {
    EXPECT_NEAR(run.trainer.validation_losses()[task], truth[task], 1e-5);
  }
}

TEST(Trainer, history_has_every_epoch_and_hooks_can_end_it) {
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

TEST(Trainer, of_a_group_alone_the_best_so_far_is_the_least_so_far) {
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

TEST(Trainer, of_few_trees_the_best_so_far_is_that_of_the_better_group_never_of_their_mean) {
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

TEST(Trainer, the_best_so_far_is_what_would_be_kept_if_it_ended_there) {
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

TEST(Trainer, the_last_line_of_the_history_is_what_is_kept) {
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
    for (const GroupOutcome& outcome : run.trainer.outcomes()) {
      for (const int epoch : outcome.best_epochs()) latest = std::max(latest, epoch);
    }
    EXPECT_EQ(last, latest);
    EXPECT_EQ(last, run.trainer.best_epoch());
  }
}

TEST(Trainer, an_epoch_that_is_broken_off_is_in_the_history_if_it_is_kept) {
  Hooks hooks;
  hooks.on_progress = [](const Progress& progress) { return progress.epoch < 3; };
  Scene scene = restless();
  scene.settings.epochs = 1000000;
  const TrainedRun run(scene, true, true, hooks);
  EXPECT_GE(run.trainer.history().back().epoch, run.trainer.best_epoch());
  EXPECT_EQ(run.trainer.history().back().best_validation_loss, run.trainer.validation_losses());
}

TEST(Trainer, says_how_many_epochs_were_asked_for_from_the_first_on) {
  for (const bool validates : {true, false}) {
    Scene scene;
    if (!validates)
      scene.validation = select_examples(scene.validation.rows, scene.validation.tasks, {}, {});
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

TEST(Trainer, threads_change_no_bit) {
  Scene scene;
  const TrainedRun alone(scene, true, true);
  for (const int threads : {2, 3, 5}) {
    scene.settings.threads = threads;
    const TrainedRun run(scene, true, true);
    EXPECT_EQ(run.trainer.blended().parameters, alone.trainer.blended().parameters) << threads;
    EXPECT_EQ(run.trainer.validation_losses(), alone.trainer.validation_losses());
  }
}

}  // namespace
}  // namespace softwood
