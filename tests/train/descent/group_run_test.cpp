#include "train/descent/group_run.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "train/descent/trainer_scene.h"
#include "train/engine/simd_engine.h"

namespace softwood {
namespace {

/// One wide group and the engine that trains it.
struct World {
  Scene scene;
  PreparedGroup prepared{scene.settings, scene.group(false), scene.tasks, scene.wide()};
  ThreadTeam team{1};
  SimdEngine engine{{{&prepared, &scene.training, &scene.validation}}, team, 1};
  GroupRun run{{{&prepared, 0, &scene.training, &scene.validation}}, scene.validation, engine};

  explicit World(Scene made) : scene(std::move(made)) {}

  /// Trains the rest of an epoch over the rows in this order.
  void train(int epoch, const std::vector<std::uint32_t>& order, std::size_t steps = 1000) {
    std::vector<std::uint32_t> rows;
    const std::vector<GroupBatches> chapter = {run.batches(0, epoch, order, rows)};
    engine.run(chapter, [&] { return --steps > 0; });
  }
};

/// The weights after two epochs over the rows in this order.
AlignedVector<float> learned(const Scene& scene, const std::vector<std::uint32_t>& order) {
  World world(scene);
  for (int epoch = 1; epoch <= 2; ++epoch) {
    world.train(epoch, order);
    world.run.finish_epoch(epoch);
  }
  return world.run.best(0)->values[0];
}

TEST(GroupRun, rows_without_a_response_of_its_tasks_take_no_place_in_its_batches) {
  Scene holed;  // every other response is missing
  for (std::size_t row = 0; row < 300; row += 2) {
    holed.training.responses[0].y[row] = std::numeric_limits<double>::quiet_NaN();
  }
  std::vector<std::uint32_t> odd;
  for (std::uint32_t row = 1; row < 300; row += 2) odd.push_back(row);
  Scene whole;  // every other row
  whole.training = select_examples(whole.training.positions, whole.training.responses, {}, odd);
  EXPECT_EQ(learned(holed, all_rows(300)), learned(whole, all_rows(150)));
}

TEST(GroupRun, an_epoch_that_was_cut_short_goes_on_where_it_stood) {
  World world{Scene()};
  std::vector<std::uint32_t> rows;
  world.train(1, all_rows(300), 4);
  const GroupBatches rest = world.run.batches(0, 1, all_rows(300), rows);
  EXPECT_EQ(rest.first, 4u);
  EXPECT_EQ(rest.count, 2u);
  World whole{Scene()};
  whole.train(1, all_rows(300));
  world.train(1, all_rows(300));
  EXPECT_EQ(world.engine.export_state(0).parameters, whole.engine.export_state(0).parameters);
}

TEST(GroupRun, the_best_epoch_is_kept_and_the_last_is_told) {
  World world{Scene()};
  for (int epoch = 1; epoch <= 6; ++epoch) {
    world.train(epoch, all_rows(300));
    EXPECT_FALSE(world.run.is_finished());
    world.run.finish_epoch(epoch);
    ASSERT_NE(world.run.best(0), nullptr);
    EXPECT_THAT(world.run.scores(0), testing::SizeIs(100));
  }
  EXPECT_TRUE(world.run.is_finished());
  const int best = world.run.best(0)->epoch;
  EXPECT_GE(best, 1);
  EXPECT_LE(best, 6);
  const bool is_last = best == 6;
  EXPECT_EQ(std::equal(world.run.scores(0).begin(), world.run.scores(0).end(),
                       world.run.best_scores(0).begin()),
            is_last);
}

TEST(GroupRun, a_task_of_the_model_that_it_does_not_learn_is_none_of_its_own) {
  Scene scene({"squared", "logistic"});
  FeatureSpace space = scene.space;
  space.num_outputs = 1;
  const PreparedGroup own{scene.settings, scene.group(false), scene.tasks.only(1),
                          initial_wide_trees(scene.settings, scene.group(false), space, 0)};
  ThreadTeam team(1);
  SimdEngine engine({{&own, &scene.training, &scene.validation}}, team, 1);
  const GroupRun run({{&own, 0, &scene.training, &scene.validation}}, scene.validation, engine);
  EXPECT_EQ(run.find_task(scene.tasks[0]), std::nullopt);
  EXPECT_EQ(run.find_task(scene.tasks[1]), 0u);
}

}  // namespace
}  // namespace softwood
