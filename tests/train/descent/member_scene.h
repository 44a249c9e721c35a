#pragma once

#include <algorithm>

#include "train/choices/settings.h"
#include "train/descent/trainer_scene.h"

namespace softwood {

/// Two members on a scene's training rows, which validate on folds of different size, and what a
/// linear part makes of the rows: four fifths of the second column, for every output.
struct MemberScene {
  Scene scene;
  std::vector<TrainingAndValidation> rows, rest;  // per member
  Examples judged;
  std::vector<double> linear;

  explicit MemberScene(Scene made = Scene()) : scene(std::move(made)) {
    const std::vector<std::uint32_t> all = scene.training.rows;
    const std::vector<std::size_t> ends = {0, 120, 200};  // of the folds
    for (std::size_t member = 0; member < 2; ++member) {
      std::vector<std::uint32_t> learned, validated;
      for (const std::uint32_t row : all) {
        const bool is_own = row >= ends[member] && row < ends[member + 1];
        (is_own ? validated : learned).push_back(row);
      }
      rows.push_back({pick(learned), pick(validated)});
      rest.push_back({with_base(rows.back().training), with_base(rows.back().validation)});
    }
    judged = pick(all_rows(200));
    linear = linear_scores(judged);
  }

  Examples pick(const std::vector<std::uint32_t>& chosen) const {
    return select_examples(scene.training.positions, scene.training.responses, {}, chosen);
  }
  /// g [outputs × rows]
  std::vector<double> linear_scores(const Examples& examples) const {
    std::vector<double> g;
    for (std::size_t output = 0; output < scene.num_outputs(); ++output) {
      for (const std::uint32_t row : examples.rows) g.push_back(0.8 * examples.positions(1, row));
    }
    return g;
  }
  Examples with_base(Examples examples) const {
    const std::vector<double> g = linear_scores(examples);
    for (const Task& task : scene.tasks) {
      const auto first =
          g.begin() + static_cast<std::ptrdiff_t>(task.first_output * examples.size());
      examples.base.emplace_back(
          first, first + static_cast<std::ptrdiff_t>(task.num_outputs() * examples.size()));
    }
    return examples;
  }

  Settings settings(std::size_t member) const {
    return settings_for_member(scene.settings, 1, member, rows[member].training.size());
  }
  /// A wide and a narrow group, and a wide one that learns what the linear part leaves.
  MemberRun member(std::size_t index, bool with_rest) const {
    const Settings own = settings(index);
    MemberRun member;
    member.rows = &rows[index];
    member.rest = &rest[index];
    member.groups.push_back({own, scene.group(false), scene.tasks, wide(own, 0)});
    member.groups.push_back({own, scene.group(true), scene.tasks, scene.narrow()});
    if (!with_rest) return member;
    GroupSettings group = scene.group(false);
    group.learns_rest = true;
    member.groups.push_back({own, group, scene.tasks, wide(own, 5)});
    return member;
  }
  InitialTrees wide(const Settings& own, std::size_t first_tree) const {
    return initial_wide_trees(own, scene.group(false), scene.space, first_tree);
  }
  std::vector<MemberRun> members(bool with_rest) const {
    std::vector<MemberRun> all;
    for (std::size_t index = 0; index < 2; ++index) all.push_back(member(index, with_rest));
    return all;
  }
};

}  // namespace softwood
