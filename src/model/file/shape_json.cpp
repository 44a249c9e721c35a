#include "model/file/shape_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "model/prediction_bases.h"
#include "softwood/error.h"
#include "tree/activation.h"

namespace softwood {
namespace {

using nlohmann::json;

Bundle bundle_from_json(const json& text, std::size_t num_columns, std::size_t num_outputs) {
  Bundle bundle;
  bundle.columns = text.at("columns").get<std::vector<std::uint32_t>>();
  bundle.num_trees = text.at("trees");
  bundle.first_output = text.at("first_output");
  bundle.num_outputs = text.at("outputs");
  const bool columns_fit = std::all_of(bundle.columns.begin(), bundle.columns.end(),
                                       [&](std::uint32_t column) { return column < num_columns; });
  if (!columns_fit || bundle.num_outputs > num_outputs ||
      bundle.first_output > num_outputs - bundle.num_outputs) {
    throw Error("the model's trees do not fit its columns or outputs.");
  }
  return bundle;
}

}  // namespace

json shape_to_json(const EnsembleShape& shape) {
  json bundles = json::array();
  for (const Bundle& bundle : shape.bundles) {
    bundles.push_back({{"columns", bundle.columns},
                       {"trees", bundle.num_trees},
                       {"first_output", bundle.first_output},
                       {"outputs", bundle.num_outputs}});
  }
  return {{"depth", shape.depth},
          {"activation", activation_name(shape.activation)},
          {"gamma", shape.gamma},
          {"outputs", shape.num_outputs},
          {"bundles", bundles}};
}

EnsembleShape shape_from_json(const json& text, const Encoder& encoder) {
  EnsembleShape shape;
  shape.depth = text.at("depth");
  shape.activation = activation_named(text.at("activation"));
  shape.gamma = text.at("gamma");
  shape.num_outputs = text.at("outputs");
  if (shape.depth < 1 || shape.depth > kMaxDepth) throw Error("the model's depth is out of range.");
  shape.columns = prediction_bases(encoder);
  for (const json& bundle : text.at("bundles")) {
    shape.bundles.push_back(bundle_from_json(bundle, shape.columns.size(), shape.num_outputs));
  }
  return shape;
}

}  // namespace softwood
