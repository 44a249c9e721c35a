#include "tree/plain_tensors.h"

#include <algorithm>
#include <cassert>

namespace softwood {
namespace {

/// Calls visit(index in the curves tensor, offset in the buffer) for every knot of every node. A
/// block of the buffer is [knot][lane] and the tensor [node][knot]: a transpose, block by block.
template <class Visit>
void visit_curves(const BundleLayout& layout, const Visit& visit) {
  const std::size_t num_knots = layout.block_stride / kLanes;
  if (layout.blocks_per_tree != 0) {
    for (std::size_t node = 0; node < layout.num_nodes; ++node) {
      const std::size_t slot = layout.slot(node);
      const std::size_t from = layout.weights + slot / kLanes * layout.block_stride + slot % kLanes;
      for (std::size_t knot = 0; knot < num_knots; ++knot) {
        visit(node * num_knots + knot, from + knot * kLanes);
      }
    }
    return;
  }
  for (std::size_t first = 0; first < layout.num_nodes; first += kLanes) {
    const std::size_t block = layout.weights + first * num_knots;
    const std::size_t lanes = std::min(kLanes, layout.num_nodes - first);
    for (std::size_t knot = 0; knot < num_knots; ++knot) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        visit((first + lane) * num_knots + knot, block + knot * kLanes + lane);
      }
    }
  }
}

template <class T>
void check_sizes(const Ensemble& ensemble, std::size_t bundle, const PlainTensors<T>& tensors) {
  assert((plain_sizes(ensemble, bundle) ==
          PlainSizes{tensors.curves.size(), tensors.biases.size(), tensors.leaves.size()}));
  (void)ensemble, (void)bundle, (void)tensors;
}

}  // namespace

PlainSizes plain_sizes(const Ensemble& ensemble, std::size_t index) {
  const BundleLayout& layout = ensemble.layout(index);
  const Bundle& bundle = ensemble.shape().bundles[index];
  return {layout.num_nodes * (layout.block_stride / kLanes), layout.num_nodes,
          bundle.num_trees * ensemble.shape().num_leaves_per_tree() * bundle.num_outputs};
}

PlainSizes plain_sizes(const Ensemble& ensemble) {
  PlainSizes total;
  for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle) {
    const PlainSizes sizes = plain_sizes(ensemble, bundle);
    total.curves += sizes.curves;
    total.biases += sizes.biases;
    total.leaves += sizes.leaves;
  }
  return total;
}

template <class T>
std::vector<PlainTensors<T>> by_bundle(const Ensemble& ensemble, PlainTensors<T> all) {
  const auto take = [](std::span<T>& rest, std::size_t count) {
    const std::span<T> taken = rest.first(count);
    rest = rest.subspan(count);
    return taken;
  };
  std::vector<PlainTensors<T>> parts;
  for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle) {
    const PlainSizes sizes = plain_sizes(ensemble, bundle);
    parts.push_back({take(all.curves, sizes.curves), take(all.biases, sizes.biases),
                     take(all.leaves, sizes.leaves)});
  }
  return parts;
}

template <class T>
void values_from_plain(const Ensemble& ensemble, std::size_t bundle, PlainTensors<const T> tensors,
                       std::span<T> values) {
  check_sizes(ensemble, bundle, tensors);
  const BundleLayout& layout = ensemble.layout(bundle);
  visit_curves(layout, [&](std::size_t at, std::size_t to) { values[to] = tensors.curves[at]; });
  for (std::size_t node = 0; node < layout.num_nodes; ++node) {
    values[layout.biases + layout.slot(node)] = tensors.biases[node];
  }
  std::ranges::copy(tensors.leaves, values.begin() + layout.leaves);
}

template <class T>
void plain_from_values(const Ensemble& ensemble, std::size_t bundle, std::span<const T> values,
                       PlainTensors<T> tensors) {
  check_sizes(ensemble, bundle, tensors);
  const BundleLayout& layout = ensemble.layout(bundle);
  visit_curves(layout,
               [&](std::size_t at, std::size_t from) { tensors.curves[at] = values[from]; });
  for (std::size_t node = 0; node < layout.num_nodes; ++node) {
    tensors.biases[node] = values[layout.biases + layout.slot(node)];
  }
  std::copy_n(values.begin() + layout.leaves, tensors.leaves.size(), tensors.leaves.begin());
}

template std::vector<PlainTensors<float>> by_bundle(const Ensemble&, PlainTensors<float>);
template std::vector<PlainTensors<double>> by_bundle(const Ensemble&, PlainTensors<double>);
template std::vector<PlainTensors<const float>> by_bundle(const Ensemble&,
                                                          PlainTensors<const float>);
template std::vector<PlainTensors<const double>> by_bundle(const Ensemble&,
                                                           PlainTensors<const double>);
template void values_from_plain(const Ensemble&, std::size_t, PlainTensors<const float>,
                                std::span<float>);
template void values_from_plain(const Ensemble&, std::size_t, PlainTensors<const double>,
                                std::span<double>);
template void plain_from_values(const Ensemble&, std::size_t, std::span<const float>,
                                PlainTensors<float>);
template void plain_from_values(const Ensemble&, std::size_t, std::span<const double>,
                                PlainTensors<double>);

}  // namespace softwood
