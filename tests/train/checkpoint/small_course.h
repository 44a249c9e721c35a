#pragma once

#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "train/checkpoint/run_identity.h"
#include "train/descent/trainer_scene.h"

namespace softwood {

/// A run of two tasks, small enough to be made anew for every state that it is given, and what a
/// checkpoint says of it.
struct SmallCourse {
  Scene scene{{"squared", "logistic"}};
  TrainingAndValidation sides;
  Hooks hooks;

  SmallCourse() {
    scene.settings.depth = 1;
    scene.settings.epochs = 3;
    scene.settings.steps_per_epoch = 2;
    scene.training.rows.resize(40);
    scene.validation.rows.resize(10);
    for (Examples* side : {&scene.training, &scene.validation}) {
      for (Responses& responses : side->responses) responses.y.resize(side->size());
    }
    sides = scene.sides();
  }

  Trainer trainer() const {
    std::vector<PreparedGroup> groups;
    groups.push_back({scene.settings, scene.group(false), scene.tasks, scene.wide()});
    return Trainer(scene.settings, scene.tasks, one_member(std::move(groups), sides),
                   sides.validation, {}, hooks);
  }

  /// In its second epoch.
  RunState state() const {
    Trainer run = trainer();
    int steps = 0;
    run.advance([&] { return ++steps > 2; });
    return run.state();
  }

  static TrainOptions options() { return {.tasks = {{.target = "y"}}}; }

  static nlohmann::json about() {
    const nlohmann::json side = {
        {"rows", 40u}, {"columns", {{"a", "1"}}}, {"responses", {{"y", "2"}}}};
    return {
        {"run", identity_of_run(options())},
        {"data", {{"training", side}, {"losses", {{"y", "3"}}}, {"splits", "4"}, {"start", ""}}},
        {"epoch", 2},
        {"ended", false}};
  }
};

}  // namespace softwood
