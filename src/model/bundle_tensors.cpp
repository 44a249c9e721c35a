#include "model/bundle_tensors.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "softwood/error.h"

namespace softwood {
namespace {

std::string tensor_name(std::size_t member, std::size_t bundle, const char* part) {
  return fmt::format("member.{}.bundle.{}.{}", member, bundle, part);
}

struct Shapes {
  std::size_t trees, splits, knots, leaves, outputs;
};

Shapes shapes_of(const Ensemble& ensemble, std::size_t index) {
  const EnsembleShape& shape = ensemble.shape();
  const Bundle& bundle = shape.bundles[index];
  std::size_t knots = 0;
  for (const std::uint32_t column : bundle.columns) knots += shape.columns[column].num_parameters();
  return {bundle.num_trees, shape.num_splits_per_tree(), knots, shape.num_leaves_per_tree(),
          bundle.num_outputs};
}

/// Calls visit(index in the curves tensor, offset in the buffer) for every knot of every node.
template <class Visit>
void visit_curves(const Ensemble& ensemble, std::size_t index, Visit&& visit) {
  const BundleLayout& layout = ensemble.layout(index);
  const Bundle& bundle = ensemble.shape().bundles[index];
  std::size_t at = 0;
  for (std::size_t node = 0; node < layout.num_nodes; ++node) {
    const std::size_t block = layout.weights + node / kLanes * layout.block_stride + node % kLanes;
    for (std::size_t column = 0; column < bundle.columns.size(); ++column) {
      const std::size_t knots = ensemble.shape().columns[bundle.columns[column]].num_parameters();
      for (std::size_t knot = 0; knot < knots; ++knot) {
        visit(at++, block + layout.column_offset[column] + knot * kLanes);
      }
    }
  }
}

const Safetensors::Tensor& tensor(const Safetensors& file, const std::string& name,
                                  const std::vector<std::size_t>& shape) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end() || found->second.shape != shape) {
    throw Error(fmt::format("the model's tensor '{}' is missing or has a wrong shape.", name));
  }
  return found->second;
}

}  // namespace

void write_bundle(const Ensemble& ensemble, std::size_t member, std::size_t bundle,
                  std::span<const float> values, Safetensors& file) {
  const Shapes shapes = shapes_of(ensemble, bundle);
  const BundleLayout& layout = ensemble.layout(bundle);
  auto& curves = file.tensors[tensor_name(member, bundle, "curves")];
  curves.shape = {shapes.trees, shapes.splits, shapes.knots};
  curves.values.resize(curves.size());
  visit_curves(ensemble, bundle,
               [&](std::size_t at, std::size_t from) { curves.values[at] = values[from]; });

  const auto copy = [&](const char* part, std::vector<std::size_t> shape, std::size_t from) {
    auto& plain = file.tensors[tensor_name(member, bundle, part)];
    plain.shape = std::move(shape);
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(from);
    plain.values.assign(begin, begin + static_cast<std::ptrdiff_t>(plain.size()));
  };
  copy("biases", {shapes.trees, shapes.splits}, layout.biases);
  copy("leaves", {shapes.trees, shapes.leaves, shapes.outputs}, layout.leaves);
}

void read_bundle(const Ensemble& ensemble, std::size_t member, std::size_t bundle,
                 const Safetensors& file, std::span<float> values) {
  const Shapes shapes = shapes_of(ensemble, bundle);
  const BundleLayout& layout = ensemble.layout(bundle);
  const auto& curves = tensor(file, tensor_name(member, bundle, "curves"),
                              {shapes.trees, shapes.splits, shapes.knots});
  visit_curves(ensemble, bundle,
               [&](std::size_t at, std::size_t to) { values[to] = curves.values[at]; });

  const auto copy = [&](const char* part, const std::vector<std::size_t>& shape, std::size_t to) {
    const auto& plain = tensor(file, tensor_name(member, bundle, part), shape);
    std::copy(plain.values.begin(), plain.values.end(),
              values.begin() + static_cast<std::ptrdiff_t>(to));
  };
  copy("biases", {shapes.trees, shapes.splits}, layout.biases);
  copy("leaves", {shapes.trees, shapes.leaves, shapes.outputs}, layout.leaves);
}

}  // namespace softwood
