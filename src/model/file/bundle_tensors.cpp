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

Shapes shapes_of(const Ensemble& ensemble, std::size_t index) {
  const Bundle& bundle = ensemble.shape().bundles[index];
  const std::size_t trees = bundle.num_trees, splits = ensemble.shape().num_splits_per_tree();
  const std::size_t knots = ensemble.layout(index).block_stride / kLanes;
  return {.curves = {trees, splits, knots},
          .biases = {trees, splits},
          .leaves = {trees, ensemble.shape().num_leaves_per_tree(), bundle.num_outputs}};
}

}  // namespace

void write_bundle(const Ensemble& ensemble, std::size_t member, std::size_t bundle,
                  std::span<const float> values, Safetensors& file) {
  const Shapes shapes = shapes_of(ensemble, bundle);
  const auto add = [&](const char* part, const Shape& shape) -> std::span<float> {
    Safetensors::Tensor& tensor = file.tensors[tensor_name(member, bundle, part)];
    tensor.shape = shape;
    tensor.values.resize(tensor.size());
    return tensor.values;
  };
  plain_from_values<float>(ensemble, bundle, values,
                           {.curves = add("curves", shapes.curves),
                            .biases = add("biases", shapes.biases),
                            .leaves = add("leaves", shapes.leaves)});
}

void read_bundle(const Ensemble& ensemble, std::size_t member, std::size_t bundle,
                 const Safetensors& file, std::span<float> values) {
  const Shapes shapes = shapes_of(ensemble, bundle);
  const auto find = [&](const char* part, const Shape& shape) -> std::span<const float> {
    return file.find(tensor_name(member, bundle, part), shape).values;
  };
  values_from_plain<float>(ensemble, bundle,
                           {.curves = find("curves", shapes.curves),
                            .biases = find("biases", shapes.biases),
                            .leaves = find("leaves", shapes.leaves)},
                           values);
}

}  // namespace softwood
