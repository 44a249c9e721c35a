#include "train/start/initial_trees.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "train/start/soft_split.h"
#include "tree/initialise.h"

namespace softwood {
namespace {

/// More than a group can have trees, so that no two groups draw the same.
constexpr std::uint64_t kStreamStride = 1 << 20;

std::vector<std::uint32_t> first_columns(std::size_t count) {
  std::vector<std::uint32_t> columns(count);
  std::iota(columns.begin(), columns.end(), 0U);
  return columns;
}

EnsembleShape bare_shape(const Settings& settings, const FeatureSpace& space) {
  EnsembleShape shape;
  shape.depth = settings.depth;
  shape.activation = settings.activation;
  shape.gamma = settings.gamma;
  shape.num_outputs = space.num_outputs;
  shape.columns = space.columns;
  return shape;
}

/// For every encoded column, which of the scales is its finest.
std::vector<std::uint32_t> finest_scales(const FeatureSpace& space) {
  std::vector<std::uint32_t> finest = first_columns(space.num_sources);
  for (std::size_t scale = space.num_sources; scale < space.columns.size(); ++scale) {
    finest[space.columns[scale].source.value()] = static_cast<std::uint32_t>(scale);
  }
  return finest;
}

/// The finest scales of all columns that these trees use; at least one column.
std::vector<std::uint32_t> columns_of(std::span<const HardTree> trees,
                                      const std::vector<std::uint32_t>& finest) {
  std::vector<std::uint32_t> columns;
  for (const HardTree& tree : trees) {
    for (const std::uint32_t column : tree.columns()) columns.push_back(finest[column]);
  }
  if (columns.empty()) columns.push_back(finest[0]);
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

}  // namespace

InitialTrees initial_wide_trees(const Settings& settings, const GroupSettings& group,
                                const FeatureSpace& space, std::size_t first_tree) {
  EnsembleShape shape = bare_shape(settings, space);
  shape.bundles = make_bundles(group.num_trees, settings.depth, first_columns(space.num_sources), 0,
                               space.num_outputs);
  InitialTrees initial{Ensemble(std::move(shape)), {}};
  initial.parameters = initial.ensemble.make_buffer();
  const InitialLimits limits = glorot_limits(initial.ensemble.shape());
  initialise(initial.ensemble, settings.seed, first_tree, limits, initial.parameters);
  return initial;
}

InitialTrees initial_narrow_trees(const Settings& settings, const FeatureSpace& space,
                                  std::span<const HardTree> trees) {
  EnsembleShape shape = bare_shape(settings, space);
  const std::vector<std::uint32_t> finest = finest_scales(space);
  const std::size_t per_bundle = narrow_trees_per_bundle(settings.depth);
  for (std::size_t first = 0; first < trees.size(); first += per_bundle) {
    const std::size_t count = std::min(per_bundle, trees.size() - first);
    shape.bundles.push_back({.columns = columns_of(trees.subspan(first, count), finest),
                             .num_trees = count,
                             .first_output = 0,
                             .num_outputs = space.num_outputs});
  }
  InitialTrees initial{Ensemble(std::move(shape)), {}};
  initial.parameters = initial.ensemble.make_buffer();
  for (std::size_t tree = 0; tree < trees.size(); ++tree) {
    soften_tree(initial.ensemble, tree / per_bundle, tree % per_bundle, trees[tree], finest,
                initial.parameters);
  }
  return initial;
}

std::vector<float> part_of_bundle(const Ensemble& ensemble, std::size_t index,
                                  const OutputRange& range, std::span<const float> values) {
  const Bundle& bundle = ensemble.shape().bundles[index];
  const BundleLayout& layout = ensemble.layout(index);
  std::vector<float> part(values.begin() + static_cast<std::ptrdiff_t>(layout.begin()),
                          values.begin() + static_cast<std::ptrdiff_t>(layout.leaves));
  const std::size_t num_leaves = bundle.num_trees * ensemble.shape().num_leaves_per_tree();
  for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
    const float* from =
        &values[layout.leaves + leaf * bundle.num_outputs + range.first - bundle.first_output];
    part.insert(part.end(), from, from + range.count);
  }
  part.resize(layout.leaves - layout.begin() + round_up(num_leaves * range.count, kLanes), 0.0F);
  return part;
}

InitialTrees repeat_for_outputs(const InitialTrees& initial, std::span<const OutputRange> ranges) {
  EnsembleShape shape = initial.ensemble.shape();
  shape.bundles.clear();
  AlignedVector<float> parameters;
  for (std::size_t index = 0; index < initial.ensemble.shape().bundles.size(); ++index) {
    for (const OutputRange& range : ranges) {
      Bundle& bundle = shape.bundles.emplace_back(initial.ensemble.shape().bundles[index]);
      bundle.first_output = range.first;
      bundle.num_outputs = range.count;
      const std::vector<float> part =
          part_of_bundle(initial.ensemble, index, range, initial.parameters);
      parameters.insert(parameters.end(), part.begin(), part.end());
    }
  }
  return {Ensemble(std::move(shape)), std::move(parameters), 1};
}

std::vector<HardTree> random_trees(const Settings& settings, const GroupSettings& group,
                                   const FeatureSpace& space, std::uint64_t stream) {
  const std::vector<std::uint32_t> finest = finest_scales(space);
  const std::size_t num_splits = (std::size_t{1} << settings.depth) - 1;
  std::vector<HardTree> trees(group.num_trees);
  for (std::size_t tree = 0; tree < trees.size(); ++tree) {
    // Trees that will share a list of columns draw the same ones, or they would see each other's.
    const std::size_t bundle = tree / narrow_trees_per_bundle(settings.depth);
    std::vector<std::uint32_t> columns = first_columns(space.num_sources);
    RandomStream(settings.seed, "columns", stream * kStreamStride + bundle).shuffle(columns);
    columns.resize(std::min(columns.size(), settings.columns_per_tree));
    const RandomStream draw(settings.seed, "random trees", stream * kStreamStride + tree);
    std::uint64_t counter = 0;
    for (std::size_t split = 0; split < num_splits; ++split) {
      const auto pick =
          static_cast<std::size_t>(draw.uniform(counter++) * static_cast<double>(columns.size()));
      trees[tree].splits.emplace_back(random_split(columns[pick],
                                                   space.columns[finest[columns[pick]]],
                                                   [&] { return draw.uniform(counter++); }));
    }
    trees[tree].leaves.resize((num_splits + 1) * space.num_outputs);
    for (double& leaf : trees[tree].leaves)
      leaf = (2 * draw.uniform(counter++) - 1) * kInitialLeafLimit;
  }
  return trees;
}

}  // namespace softwood
