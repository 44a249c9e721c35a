#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "model/model_access.h"
#include "model/prediction_bases.h"
#include "softwood/model.h"
#include "tree/tree_place.h"

namespace softwood {

/// A column's addend of a hand-made tree's score, z = weight · x.
struct Addend {
  std::uint32_t column;
  double weight;
};

/// A stump that gives `height` · S(Σ addends); S is the logistic function.
struct Stump {
  std::vector<Addend> addends;
  double height = 1;
};

/// A squared-error model of numeric columns without a second scale: f(x) = the sum of the stumps.
inline Model hand_made_model(const Table& table, const std::vector<std::string>& features,
                             const std::vector<Stump>& stumps) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t row = 0; row < table.num_rows(); ++row) all.push_back(row);
  ModelParts parts;
  parts.encoder = Encoder::fit(table, all, {.features = features});
  parts.tasks.push_back(make_task({.target = features[0], .loss = "squared"}, {&table}));
  parts.tasks[0].units = {.offset = {0}, .unit = {1}, .loss_scale = 1};
  EnsembleShape shape{.depth = 1, .columns = prediction_bases(parts.encoder)};
  for (const Stump& stump : stumps) {
    Bundle& bundle =
        shape.bundles.emplace_back(Bundle{.columns = {}, .num_trees = 1, .num_outputs = 1});
    for (const Addend& addend : stump.addends) bundle.columns.push_back(addend.column);
  }
  Member member{.ensemble = Ensemble(std::move(shape)), .values = {}, .offset = {0}};
  member.values = member.ensemble.make_buffer();
  for (std::size_t tree = 0; tree < stumps.size(); ++tree) {
    const TreePlace place(member.ensemble, tree);
    member.values[place.leaf(0)] = static_cast<float>(stumps[tree].height);
    for (std::size_t i = 0; i < stumps[tree].addends.size(); ++i) {
      const auto& edges = parts.encoder.columns()[stumps[tree].addends[i].column].edges;
      for (std::size_t knot = 0; knot < edges.size(); ++knot) {
        member.values[place.first_knot(0, i) + knot * kLanes] =
            static_cast<float>(stumps[tree].addends[i].weight * edges[knot]);
      }
    }
  }
  parts.members.push_back(std::move(member));
  return ModelAccess::make(std::move(parts));
}

}  // namespace softwood
