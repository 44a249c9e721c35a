#include "tree/initialise.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/random.h"
#include "tree/tree_place.h"

namespace softwood {
namespace {

float symmetric(const RandomStream& stream, std::uint64_t counter, float limit) {
  return static_cast<float>(2 * stream.uniform(counter) - 1) * limit;
}

bool is_seen(const ColumnBasis& basis, std::size_t parameter) {
  if (basis.kind == ColumnBasis::Kind::linear) return true;
  const bool is_slope = basis.kind == ColumnBasis::Kind::curve && parameter == 0;
  return is_slope || basis.mean[parameter] != 0;
}

/// The weights of one split, every column's parameters in turn; `counter`: of its first one.
void initialise_split(const EnsembleShape& shape, const TreePlace& place, std::size_t split,
                      const RandomStream& stream, std::uint64_t counter, float limit,
                      std::span<float> parameters) {
  const std::vector<std::uint32_t>& columns = place.bundle().columns;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const ColumnBasis& basis = shape.columns[columns[c]];
    float* const column = parameters.data() + place.first_knot(split, c);
    for (std::size_t i = 0; i < basis.num_parameters(); ++i, ++counter) {
      if (is_seen(basis, i)) column[i * kLanes] = symmetric(stream, counter, limit);
    }
  }
}

}  // namespace

InitialLimits glorot_limits(const EnsembleShape& shape) {
  std::size_t fan = shape.num_trees();
  for (const std::uint32_t column : shape.bundles[0].columns) {
    fan += shape.columns[column].num_parameters();
  }
  return {.splits = static_cast<float>(std::sqrt(6 / static_cast<double>(fan))),
          .leaves = kInitialLeafLimit};
}

void initialise_bundle(const Ensemble& ensemble, std::size_t bundle_index, std::uint64_t seed,
                       std::size_t first_tree, InitialLimits limits, std::span<float> parameters) {
  assert(parameters.size() == ensemble.buffer_size());
  const EnsembleShape& shape = ensemble.shape();
  const Bundle& bundle = shape.bundles[bundle_index];
  const BundleLayout& layout = ensemble.layout(bundle_index);
  std::fill(parameters.begin() + layout.begin(), parameters.begin() + layout.end(), 0.0F);
  const std::size_t num_leaf_values = shape.num_leaves_per_tree() * bundle.num_outputs;
  const std::uint64_t parameters_per_node = layout.block_stride / kLanes;
  for (std::size_t tree = 0; tree < bundle.num_trees; ++tree) {
    const RandomStream splits(seed, "initial splits", first_tree + tree);
    const TreePlace place(ensemble, bundle_index, tree);
    for (std::size_t i = 0; i < shape.num_splits_per_tree(); ++i) {
      initialise_split(shape, place, i, splits, i * parameters_per_node, limits.splits, parameters);
    }
    const RandomStream leaves(seed, "initial leaves", first_tree + tree);
    float* const values = parameters.data() + place.leaf(0);
    for (std::size_t i = 0; i < num_leaf_values; ++i) {
      values[i] = symmetric(leaves, i, limits.leaves);
    }
  }
}

void initialise(const Ensemble& ensemble, std::uint64_t seed, std::size_t first_tree,
                InitialLimits limits, std::span<float> parameters) {
  for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle) {
    initialise_bundle(ensemble, bundle, seed, first_tree, limits, parameters);
    first_tree += ensemble.shape().bundles[bundle].num_trees;
  }
}

}  // namespace softwood
