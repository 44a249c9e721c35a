#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task/raw_outputs.h"
#include "train/descent/blend.h"
#include "train/descent/examples_loss.h"
#include "train/descent/member_scene.h"

namespace softwood {
namespace {

using testing::SizeIs;

const Hooks kNoHooks;  // a trainer borrows them

TEST(TrainerMembers, every_epoch_is_judged_by_the_rows_of_both_folds) {
  const MemberScene scene;
  const auto only_wide = [&](std::size_t index) {
    MemberRun member = scene.member(index, false);
    member.groups.resize(1, member.groups[0]);
    return member;
  };
  const auto run = [&](std::vector<MemberRun> members, const Examples& judged) {
    Trainer trainer(scene.scene.settings, scene.scene.tasks, std::move(members), judged, {},
                    kNoHooks);
    trainer.run();
    EXPECT_THAT(trainer.outcomes()[0].best_epochs(), SizeIs(1));
    const EpochResult& kept = trainer.history()[static_cast<std::size_t>(trainer.best_epoch() - 1)];
    EXPECT_EQ(trainer.validation_losses(), kept.validation_loss);
    return trainer.history();
  };
  const auto first = run({only_wide(0)}, scene.rows[0].validation);
  const auto second = run({only_wide(1)}, scene.rows[1].validation);
  const auto both = run({only_wide(0), only_wide(1)}, scene.judged);
  ASSERT_EQ(both.size(), 6u);
  for (std::size_t epoch = 0; epoch < 6; ++epoch) {
    EXPECT_NEAR(both[epoch].validation_loss[0],
                0.6 * first[epoch].validation_loss[0] + 0.4 * second[epoch].validation_loss[0],
                1e-12);
    EXPECT_NEAR(both[epoch].training_loss[0],
                (first[epoch].training_loss[0] + second[epoch].training_loss[0]) / 2, 1e-12);
  }
}

TEST(TrainerMembers, weights_are_those_of_least_loss_on_the_rows_of_both_folds) {
  const MemberScene scene;
  Trainer trainer(scene.scene.settings, scene.scene.tasks, scene.members(true), scene.judged,
                  scene.linear, kNoHooks);
  trainer.run();
  const RunState state = trainer.state();
  std::vector<std::span<const double>> scores;
  for (const GroupState& group : state.groups) {
    ASSERT_THAT(group.best.together->scores, SizeIs(200));
    scores.emplace_back(group.best.together->scores);
  }
  scores.emplace_back(scene.linear);
  const std::vector<double> expected =
      find_blend(scene.scene.tasks[0], scene.judged.responses[0], {}, scores, {.is_wary = true});
  ASSERT_THAT(trainer.outcomes(), SizeIs(4));
  for (std::size_t part = 0; part < 4; ++part)
    EXPECT_EQ(trainer.outcomes()[part].shares[0].weight, expected[part]) << part;
  EXPECT_EQ(trainer.outcomes()[3].kind, GroupKind::linear);
  EXPECT_FALSE(trainer.outcomes()[0].learns_rest);
  EXPECT_TRUE(trainer.outcomes()[2].learns_rest);
}

TEST(TrainerMembers, what_is_kept_is_each_members_trees_and_the_linear_part_under_them) {
  const MemberScene scene(Scene({"squared", "logistic"}));
  const Tasks& tasks = scene.scene.tasks;
  Trainer trainer(scene.scene.settings, tasks, scene.members(true), scene.judged, scene.linear,
                  kNoHooks);
  trainer.run();
  std::vector<double> total(2, 0.0);  // per task, over the rows of both
  for (std::size_t member = 0; member < 2; ++member) {
    const Examples& own = scene.rows[member].validation;
    std::vector<double> g = sums(trainer.blended(member), own);
    const std::vector<double> linear = scene.linear_scores(own);
    for (std::size_t i = 0; i < g.size(); ++i)
      g[i] += trainer.linear_weight(tasks[i / own.size()]) * linear[i];
    const std::vector<double> losses = mean_losses(tasks, own, in_units(tasks, g));
    for (std::size_t task = 0; task < 2; ++task)
      total[task] += losses[task] * static_cast<double>(own.size()) / 200;
  }
  for (std::size_t task = 0; task < 2; ++task) {
    EXPECT_NEAR(trainer.validation_losses()[task], total[task], 1e-5);
    const double alone = trainer.outcomes()[3].shares[task].weight;
    const double under_trees = trainer.outcomes()[2].shares[task].weight;
    EXPECT_GT(under_trees, 0);
    EXPECT_DOUBLE_EQ(trainer.linear_weight(tasks[task]), alone + under_trees);
  }
}

TEST(TrainerMembers, trees_that_learn_a_rest_begin_with_the_loss_of_the_linear_part) {
  MemberScene scene;
  scene.scene.settings.epochs = 1;
  const auto first_losses = [&](double rate) {
    std::vector<MemberRun> members = scene.members(true);
    for (MemberRun& member : members) {
      for (PreparedGroup& group : member.groups)
        group.group.learning_rate = group.group.leaf_learning_rate = rate;
      std::fill(member.groups[2].initial.parameters.begin(),
                member.groups[2].initial.parameters.end(), 0.0F);
    }
    Trainer trainer(scene.scene.settings, scene.scene.tasks, std::move(members), scene.judged,
                    scene.linear, kNoHooks);
    trainer.run();
    return trainer.state().groups[2];
  };
  const GroupState still = first_losses(1e-9);  // trees of zeros that hardly move
  ASSERT_THAT(still.scores, SizeIs(200));
  for (std::size_t row = 0; row < 200; ++row)
    EXPECT_NEAR(still.scores[row], scene.linear[row], 1e-5);
  double loss = 0;
  for (std::size_t member = 0; member < 2; ++member) {
    const Examples& training = scene.rows[member].training;
    loss += mean_losses(scene.scene.tasks, training,
                        in_units(scene.scene.tasks, scene.linear_scores(training)))[0] /
            2;
  }
  EXPECT_NEAR(still.training_losses[0], loss, 1e-5);
}

TEST(TrainerMembers, without_a_linear_part_it_counts_nothing) {
  const MemberScene scene;
  Trainer trainer(scene.scene.settings, scene.scene.tasks, scene.members(false), scene.judged, {},
                  kNoHooks);
  trainer.run();
  EXPECT_THAT(trainer.outcomes(), SizeIs(2));
  EXPECT_EQ(trainer.linear_weight(scene.scene.tasks[0]), 0);
}

TEST(TrainerMembers, threads_change_no_bit) {
  MemberScene scene(Scene({"squared", "logistic"}));
  const auto values = [&](int threads) {
    scene.scene.settings.threads = threads;
    Trainer trainer(scene.scene.settings, scene.scene.tasks, scene.members(true), scene.judged,
                    scene.linear, kNoHooks);
    trainer.run();
    std::vector<AlignedVector<float>> all;
    for (std::size_t member = 0; member < 2; ++member)
      all.push_back(trainer.blended(member).values);
    return all;
  };
  const auto alone = values(1);
  for (const int threads : {2, 5, 9}) EXPECT_EQ(values(threads), alone) << threads;
  EXPECT_NE(alone[0], alone[1]);
}

}  // namespace
}  // namespace softwood
