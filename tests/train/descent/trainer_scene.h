#pragma once

#include <cmath>
#include <limits>
#include <memory>

#include "base/random.h"
#include "loss/catalogue/find_loss.h"
#include "train/all_rows.h"
#include "train/descent/trainer.h"

namespace softwood {

/// Two linear columns and what they tell of two tasks: y = sin(2·first) + second, and whether that
/// is above 0.
struct Scene {
  Tasks tasks;
  std::shared_ptr<const Rows> training_rows = rows_of(300, 1), validation_rows = rows_of(100, 2);
  Examples training, validation;
  FeatureSpace space;
  Settings settings;

  explicit Scene(std::vector<const char*> losses = {"squared"}) {
    training.positions = training_rows->view();
    training.rows = all_rows(300);
    validation.positions = validation_rows->view();
    validation.rows = all_rows(100);
    for (const char* loss : losses) add_task(loss);
    const ColumnBasis linear{.kind = ColumnBasis::Kind::linear, .mean = {0}};
    space = {.columns = {linear, linear}, .num_sources = 2, .num_outputs = num_outputs()};
    settings.depth = 2;
    settings.epochs = 6;
    settings.batch_size = 50;
    settings.steps_per_epoch = 6;
    settings.average = 1;
    settings.threads = 1;
  }

  static std::shared_ptr<const Rows> rows_of(std::size_t num_rows, std::uint64_t seed) {
    const RandomStream random(seed, "trainer test");
    Rows rows{.num_rows = num_rows, .num_columns = 2, .positions = {}};
    for (std::size_t i = 0; i < 2 * num_rows; ++i) {
      rows.positions.push_back(static_cast<float>(4 * random.uniform(i) - 2));
    }
    return std::make_shared<const Rows>(std::move(rows));
  }
  /// Makes NaNs of some validation positions.
  void spoil_validation(std::initializer_list<std::size_t> places) {
    Rows spoilt = *validation_rows;
    for (const std::size_t at : places)
      spoilt.positions[at] = std::numeric_limits<float>::quiet_NaN();
    validation_rows = std::make_shared<const Rows>(std::move(spoilt));
    validation.positions = validation_rows->view();
  }
  void add_task(const char* loss) {
    Task task;
    task.program = LossProgram::compile(find_loss(loss));
    for (Examples* side : {&training, &validation}) {
      Responses& responses = side->responses.emplace_back();
      for (std::size_t row = 0; row < side->size(); ++row) {
        const double y = std::sin(2 * side->positions(0, row)) + side->positions(1, row);
        responses.y.push_back(tasks.empty() ? y : y > 0);
      }
    }
    task.units = find_units(task.program, training.responses.back().view(), {});
    tasks.push_back(std::move(task));
  }
  std::size_t num_outputs() const { return tasks.num_outputs(); }
  TrainingAndValidation sides() const { return {training, validation}; }

  GroupSettings group(bool is_narrow) const {
    return {.is_narrow = is_narrow,
            .num_trees = 5,
            .learning_rate = is_narrow ? 0.05 : 0.1,
            .leaf_learning_rate = 0.1};
  }
  InitialTrees wide() const { return initial_wide_trees(settings, group(false), space, 0); }
  /// Trees that split the first column alone.
  InitialTrees narrow() const {
    HardTree tree{.splits = {}, .leaves = std::vector<double>(4 * num_outputs(), 0.1)};
    for (int split = 0; split < 3; ++split) {
      tree.splits.emplace_back(
          HardSplit{.column = 0, .threshold = 0.4F * static_cast<float>(split)});
    }
    return initial_narrow_trees(settings, space, std::vector(5, tree));
  }
};

inline std::vector<double> sums(const BlendedTrees& trees, const Examples& examples) {
  ThreadTeam team(1);
  return tree_sums(trees.ensemble, trees.values, examples.chosen(), team);
}

/// These groups as the only member.
inline std::vector<MemberRun> one_member(std::vector<PreparedGroup> groups,
                                         const TrainingAndValidation& rows) {
  std::vector<MemberRun> members(1);
  members[0].groups = std::move(groups);
  members[0].rows = &rows;
  return members;
}

/// A wide and a narrow group, or one of them alone.
struct TrainedRun {
  Scene scene;
  TrainingAndValidation sides;
  Trainer trainer;

  TrainedRun(Scene world, bool with_wide, bool with_narrow, const Hooks& hooks = {})
      : scene(chosen(std::move(world), with_wide, with_narrow)),
        sides(scene.sides()),
        trainer(scene.settings, scene.tasks, one_member(prepared(with_wide, with_narrow), sides),
                sides.validation, {}, hooks) {
    trainer.run();
  }
  static Scene chosen(Scene world, bool with_wide, bool with_narrow) {
    if (with_wide) world.settings.groups.push_back(world.group(false));
    if (with_narrow) world.settings.groups.push_back(world.group(true));
    return world;
  }
  std::vector<PreparedGroup> prepared(bool with_wide, bool with_narrow) const {
    std::vector<PreparedGroup> result;
    const auto add = [&](bool is_narrow, InitialTrees initial) {
      result.push_back({scene.settings, scene.group(is_narrow), scene.tasks, std::move(initial)});
    };
    if (with_wide) add(false, scene.wide());
    if (with_narrow) add(true, scene.narrow());
    return result;
  }
};

}  // namespace softwood
