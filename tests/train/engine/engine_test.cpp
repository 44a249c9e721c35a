#include "train/engine/engine.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "train/descent/trainer_scene.h"
#include "train/engine/reference_engine.h"
#include "train/engine/simd_engine.h"

namespace softwood {
namespace {

/// Curves, levels and missing values beside linear columns: every kind that trees can see.
struct MixedScene : Scene {
  explicit MixedScene(std::vector<const char*> losses) : Scene(std::move(losses)) {
    Rows mixed{.num_rows = 300, .num_columns = 4, .positions = training_rows->positions};
    const RandomStream random(9, "mixed");
    for (std::size_t row = 0; row < 300; ++row)
      mixed.positions.push_back(row % 11 == 0 ? 5.0F : static_cast<float>(4 * random.uniform(row)));
    for (std::size_t row = 0; row < 300; ++row)
      mixed.positions.push_back(static_cast<float>(random.below(1000 + row, 4)));
    training_rows = std::make_shared<const Rows>(mixed);
    training.positions = training_rows->view();
    validation = select_examples(
        training.positions, training.responses, {},
        std::vector<std::uint32_t>(training.rows.begin() + 200, training.rows.end()));
    const ColumnBasis curve{.kind = ColumnBasis::Kind::curve,
                            .source = 2,
                            .num_knots = 6,
                            .slope = {-1, -0.5, 0, 0.5, 1},
                            .mean = {0, 0.8F, 0.6F, 0.4F, 0.2F, 0.1F}};
    const ColumnBasis levels{.kind = ColumnBasis::Kind::levels,
                             .source = 3,
                             .num_knots = 4,
                             .mean = {0.25F, 0.25F, 0.25F, 0.25F}};
    space.columns.push_back(curve);
    space.columns.push_back(levels);
    space.num_sources = 4;
  }
};

/// g of the step between two states, as Adam saw it: m' = β1 m + (1 − β1) g.
std::vector<double> gradients(const DescentState& before, const DescentState& after, double beta1) {
  std::vector<double> g;
  for (std::size_t at = 0; at < before.first_moments.size(); ++at) {
    g.push_back((after.first_moments[at] - beta1 * before.first_moments[at]) / (1 - beta1));
  }
  return g;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

/// From the same state both engines take each of the first 20 steps: gradients and what follows
/// from them agree.
void expect_same_steps(const Scene& scene, const PreparedGroup& prepared) {
  ThreadTeam team(2);
  const EngineGroup group{&prepared, &scene.training, &scene.validation};
  SimdEngine simd({group}, team, 2);
  ReferenceEngine reference({group});
  const std::vector<std::uint32_t> order = all_rows(300);
  const std::size_t per_epoch = prepared.settings.steps_per_epoch;
  for (std::size_t step = 0; step < 20; ++step) {
    const DescentState before = simd.export_state(0);
    ASSERT_EQ(before.steps_done, step);
    reference.import_state(0, before);
    const std::vector<GroupBatches> one = {{.group = 0,
                                            .epoch = 1,
                                            .rows = order,
                                            .first = step % per_epoch,
                                            .count = 1,
                                            .then_validate = true}};
    simd.run(one, [] { return true; });
    reference.run(one, [] { return true; });
    const DescentState after = simd.export_state(0), truth = reference.export_state(0);
    const std::vector<double> g = gradients(before, after, prepared.settings.beta1);
    const std::vector<double> expected = gradients(before, truth, prepared.settings.beta1);
    const double scale = largest(expected);
    ASSERT_GT(scale, 0);
    for (std::size_t at = 0; at < g.size(); ++at)
      ASSERT_NEAR(g[at], expected[at], 1e-4 * scale) << "step " << step << ", parameter " << at;
    // Adam divides by gradients that are nearly 0: a parameter may move by a whole rate there.
    double off = 0;
    for (std::size_t at = 0; at < g.size(); ++at) {
      if (std::abs(expected[at]) < 1e-3 * scale) continue;
      off = std::max<double>(off, std::abs(after.parameters[at] - truth.parameters[at]));
    }
    EXPECT_LT(off, 2e-4) << "step " << step;
    EXPECT_EQ(after.losses.size(), truth.losses.size());
    EXPECT_NEAR(after.losses[0].value(), truth.losses[0].value(), 1e-4);
    const std::span<const double> scores = simd.validation_scores(0);
    const std::span<const double> true_scores = reference.validation_scores(0);
    ASSERT_EQ(scores.size(), true_scores.size());
    for (std::size_t at = 0; at < scores.size(); ++at)
      EXPECT_NEAR(scores[at], true_scores[at], 2e-3);
  }
}

TEST(Engine, simd_takes_the_steps_of_the_reference_with_wide_trees) {
  MixedScene scene({"squared"});
  expect_same_steps(scene, {scene.settings, scene.group(false), scene.tasks, scene.wide()});
}

TEST(Engine, simd_takes_the_steps_of_the_reference_with_narrow_trees_and_two_outputs) {
  MixedScene scene({"normal"});
  scene.space.num_outputs = 2;
  expect_same_steps(scene, {scene.settings, scene.group(true), scene.tasks, scene.narrow()});
}

TEST(Engine, simd_takes_the_steps_of_the_reference_with_decay_penalties_and_clipping) {
  MixedScene scene({"squared", "logistic"});
  scene.settings.l2_leaves = 0.1;
  scene.settings.clip = 0.05;
  scene.settings.schedule = {.kind = Schedule::Kind::doubling, .cycle_steps = 6};
  GroupSettings group = scene.group(false);
  group.decay = 0.2;
  expect_same_steps(scene, {scene.settings, group, scene.tasks, scene.wide()});
}

TEST(Engine, simd_takes_the_steps_of_the_reference_with_splits_that_are_pulled_together) {
  MixedScene scene({"squared", "logistic"});
  scene.settings.share_strength = 0.05;
  scene.settings.share_decay = 0.5;
  scene.settings.activation = Activation::smooth_step;
  scene.settings.gamma = 2;
  const std::vector<OutputRange> each = {{0, 1}, {1, 1}};
  InitialTrees coupled = repeat_for_outputs(scene.wide(), each);
  coupled.num_coupled = 2;
  expect_same_steps(scene, {scene.settings, scene.group(false), scene.tasks, std::move(coupled)});
}

TEST(Engine, simd_takes_the_steps_of_the_reference_with_rows_that_skip) {
  MixedScene scene({"squared", "logistic"});
  scene.settings.depth = kSkippingDepth;
  scene.settings.share_strength = 0.05;
  scene.settings.share_decay = 0.5;
  scene.settings.activation = Activation::smooth_step;
  scene.settings.gamma = 1;
  InitialTrees coupled = repeat_for_outputs(scene.wide(), std::vector<OutputRange>{{0, 1}, {1, 1}});
  ASSERT_TRUE(coupled.ensemble.shape().skips());
  coupled.num_coupled = 2;
  expect_same_steps(scene, {scene.settings, scene.group(false), scene.tasks, std::move(coupled)});
}

/// Two members' groups, each with rows of its own, fly in one engine.
TEST(Engine, groups_of_several_members_train_as_if_each_were_alone) {
  const Scene first({"squared"});
  Scene second({"logistic"});
  second.training = select_examples(
      second.training.positions, second.training.responses, {},
      std::vector<std::uint32_t>(second.training.rows.begin(), second.training.rows.begin() + 240));
  const PreparedGroup one{first.settings, first.group(false), first.tasks, first.wide()};
  const PreparedGroup two{second.settings, second.group(true), second.tasks, second.narrow()};
  const EngineGroup left{&one, &first.training, &first.validation};
  const EngineGroup right{&two, &second.training, &second.validation};
  const std::vector<std::uint32_t> order = all_rows(300), shorter = all_rows(240);
  const auto batches = [&](std::size_t group, const std::vector<std::uint32_t>& rows) {
    return GroupBatches{
        .group = group, .epoch = 1, .rows = rows, .first = 0, .count = 6, .then_validate = true};
  };
  ThreadTeam team(2);
  SimdEngine together({left, right}, team, 1), alone({left}, team, 1), other({right}, team, 1);
  const auto always = [] { return true; };
  together.run(std::vector{batches(0, order), batches(1, shorter)}, always);
  alone.run(std::vector{batches(0, order)}, always);
  other.run(std::vector{batches(0, shorter)}, always);
  EXPECT_EQ(together.export_state(0).parameters, alone.export_state(0).parameters);
  EXPECT_EQ(together.export_state(1).parameters, other.export_state(0).parameters);
}

/// Workers that share out the rows: two engines with half of a batch each, whose gradients are
/// added, take the step of one engine with all of it.
struct HalfOfTheRows : Reducer {
  std::span<const float> others;
  void add_gradients(std::span<float> gradients) override {
    if (others.empty()) return;
    for (std::size_t i = 0; i < gradients.size(); ++i)
      gradients[i] = (gradients[i] + others[i]) / 2;
  }
};

/// The first chapter's gradients in the place of a message: m' = (1 − β1) g after the first step.
TEST(Engine, workers_that_share_out_the_rows_need_only_add_their_gradients) {
  Scene scene;
  scene.settings.average = 0;
  scene.settings.batch_size = 100;
  scene.settings.steps_per_epoch = 1;
  GroupSettings settings = scene.group(false);
  settings.num_trees = 1;  // one bundle, so the piece is the whole buffer
  const PreparedGroup prepared{scene.settings, settings, scene.tasks,
                               initial_wide_trees(scene.settings, settings, scene.space, 0)};
  const EngineGroup group{&prepared, &scene.training, &scene.validation};
  const std::vector<std::uint32_t> all = all_rows(100);
  const std::span<const std::uint32_t> rows = all;
  const auto run = [&](SimdGroup& engine, std::span<const std::uint32_t> part) {
    engine.run({.group = 0, .epoch = 1, .rows = part, .first = 0, .count = 1}, [] { return true; });
  };
  Reducer nothing;
  SimdGroup whole(group, 1, nothing), half(group, 1, nothing);
  run(whole, rows);
  run(half, rows.subspan(50));
  std::vector<float> message;
  for (const float m : half.state().first_moments)
    message.push_back(m / static_cast<float>(1 - prepared.settings.beta1));
  HalfOfTheRows reducer;
  reducer.others = message;
  SimdGroup worker(group, 1, reducer);
  run(worker, rows.first(50));
  for (std::size_t at = 0; at < message.size(); ++at)
    ASSERT_NEAR(worker.state().first_moments[at], whole.state().first_moments[at], 1e-7);
}

/// What the trees of the other workers add up to.
struct OtherTrees : Reducer {
  std::vector<double> others;  // [outputs × rows]
  double squares = 0;
  void add_outputs(MatrixView<double> sums) override {
    for (std::size_t i = 0; i < others.size(); ++i) sums.data[i] += others[i];
  }
  double add_squares(double own) override { return own + squares; }
};

TEST(Engine, workers_that_share_out_the_trees_need_only_add_their_outputs_and_squares) {
  Scene scene;
  scene.settings.batch_size = 100;
  scene.settings.steps_per_epoch = 1;
  GroupSettings group = scene.group(false);
  group.num_trees = 96;  // more than a bundle holds
  const InitialTrees all = initial_wide_trees(scene.settings, group, scene.space, 0);
  ASSERT_GT(all.ensemble.shape().bundles.size(), 1u);
  // A worker's share: the first bundle, whose numbers come first in every buffer.
  EnsembleShape shape = all.ensemble.shape();
  shape.bundles.resize(1);
  InitialTrees share{Ensemble(shape), {}};
  const std::size_t size = share.ensemble.buffer_size();
  share.parameters.assign(all.parameters.begin(),
                          all.parameters.begin() + static_cast<std::ptrdiff_t>(size));
  const std::vector<std::uint32_t> rows = all_rows(100);
  // Adam's first moments after one step: (1 − β1) g, clipped.
  const auto moments_after_a_step = [&](const InitialTrees& trees, double clip, Reducer& reducer) {
    Settings settings = scene.settings;
    settings.clip = clip;
    const PreparedGroup prepared{settings, group, scene.tasks, trees};
    SimdGroup engine({&prepared, &scene.training, &scene.validation}, 1, reducer);
    engine.run({.group = 0, .epoch = 1, .rows = rows, .first = 0, .count = 1}, [] { return true; });
    return engine.state().first_moments;
  };
  Reducer nothing;
  const AlignedVector<float> unclipped = moments_after_a_step(all, 0, nothing);
  const AlignedVector<float> truth = moments_after_a_step(all, 1e-3, nothing);
  ASSERT_NE(unclipped, truth);

  // What the other workers would send. Linear columns have no curves: parameters are values.
  OtherTrees others;
  ThreadTeam team(1);
  const ChosenRows batch{scene.training.positions, rows};
  const std::vector<double> sums = tree_sums(all.ensemble, all.parameters, batch, team);
  const std::vector<double> own = tree_sums(share.ensemble, share.parameters, batch, team);
  for (std::size_t row = 0; row < 100; ++row) others.others.push_back(sums[row] - own[row]);
  for (std::size_t at = size; at < unclipped.size(); ++at) {
    const double gradient = unclipped[at] / (1 - scene.settings.beta1);
    others.squares += gradient * gradient;
  }
  const AlignedVector<float> moments = moments_after_a_step(share, 1e-3, others);
  ASSERT_EQ(moments.size(), size);
  for (std::size_t at = 0; at < size; ++at) ASSERT_NEAR(moments[at], truth[at], 1e-9) << at;
}

}  // namespace
}  // namespace softwood
