#include "model/file/shape_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include <nlohmann/json.hpp>

#include "base/strict_json.h"
#include "model/file/bundle_tensors.h"
#include "softwood/error.h"
#include "tree/activation.h"

namespace softwood {
namespace {

using nlohmann::json;

/// Kernels keep places inside a block of nodes in 32 bits.
constexpr std::size_t kMostKnots = std::numeric_limits<std::uint32_t>::max() / kLanes;

/// Whatever it claims has its bytes in the file, which the tensors' shapes tell: nothing is sized
/// by a number alone.
Bundle bundle_from_json(const json& text, const EnsembleShape& shape) {
  Bundle bundle;
  bundle.columns = strict_json::integers<std::uint32_t>(text, "columns");
  bundle.num_trees = strict_json::integer<std::size_t>(text, "trees", 1);
  bundle.num_outputs = strict_json::integer<std::size_t>(text, "outputs", 1, shape.num_outputs);
  bundle.first_output = strict_json::integer<std::size_t>(text, "first_output", 0,
                                                          shape.num_outputs - bundle.num_outputs);
  const bool ascend =
      std::ranges::adjacent_find(bundle.columns, std::greater_equal<>()) == bundle.columns.end();
  if (bundle.columns.empty() || !ascend || bundle.columns.back() >= shape.columns.size() ||
      num_knots(shape, bundle) > kMostKnots)
    throw Error("the model's trees do not fit its columns.");
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

EnsembleShape shape_from_json(const json& text, const std::vector<ColumnBasis>& columns) {
  EnsembleShape shape;
  shape.depth = strict_json::integer<int>(text, "depth", 1, kMaxDepth);
  shape.activation = strict_json::one_of(text, "activation",
                                         std::array{Activation::logistic, Activation::smooth_step},
                                         activation_name);
  shape.gamma = static_cast<float>(strict_json::positive_number(text, "gamma"));
  if (!(shape.gamma > 0) || std::isinf(shape.gamma))
    strict_json::refuse("gamma", "is out of range");
  shape.num_outputs = strict_json::integer<std::size_t>(text, "outputs", 1);
  shape.columns = columns;
  for (const json& bundle : strict_json::list(text, "bundles"))
    shape.bundles.push_back(bundle_from_json(bundle, shape));
  return shape;
}

}  // namespace softwood
