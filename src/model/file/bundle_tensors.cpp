#include "model/file/bundle_tensors.h"

#include <fmt/format.h>

#include "tree/plain_tensors.h"

namespace softwood {
namespace {

std::string tensor_name(std::size_t member, std::size_t bundle, const char* part) {
  return fmt::format("member.{}.bundle.{}.{}", member, bundle, part);
}

using Shape = std::vector<std::size_t>;

struct Shapes {
  Shape curves, biases, leaves;
};

Shapes shapes_of(const EnsembleShape& shape, std::size_t index) {
  const Bundle& bundle = shape.bundles[index];
  const std::size_t trees = bundle.num_trees, splits = shape.num_splits_per_tree();
  return {.curves = {trees, splits, num_knots(shape, bundle)},
          .biases = {trees, splits},
          .leaves = {trees, shape.num_leaves_per_tree(), bundle.num_outputs}};
}

}  // namespace

std::size_t num_knots(const EnsembleShape& shape, const Bundle& bundle) {
  std::size_t count = 0;
  for (const std::uint32_t column : bundle.columns) count += shape.columns[column].num_parameters();
  return count;
}

void check_bundle(const EnsembleShape& shape, std::size_t member, std::size_t bundle,
                  const Safetensors& file) {
  const Shapes shapes = shapes_of(shape, bundle);
  file.find(tensor_name(member, bundle, "curves"), shapes.curves);
  file.find(tensor_name(member, bundle, "biases"), shapes.biases);
  file.find(tensor_name(member, bundle, "leaves"), shapes.leaves);
}

void read_bundle(const Ensemble& ensemble, std::size_t member, std::size_t bundle,
                 Safetensors& file, std::span<float> values) {
  const Shapes shapes = shapes_of(ensemble.shape(), bundle);
  const auto take = [&](const char* part, const Shape& shape) {
    return file.take(tensor_name(member, bundle, part), shape);
  };
  const std::vector<float> curves = take("curves", shapes.curves),
                           biases = take("biases", shapes.biases),
                           leaves = take("leaves", shapes.leaves);
  values_from_plain<float>(ensemble, bundle, {.curves = curves, .biases = biases, .leaves = leaves},
                           values);
}

}  // namespace softwood
