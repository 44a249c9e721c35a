#include "tree/ensemble.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/even_parts.h"

namespace softwood {
namespace {

static_assert(SubtreeBlocks::kChildren == kLanes);

/// Fills the column offsets and returns the floats of one block.
std::size_t place_columns(const EnsembleShape& shape, const Bundle& bundle, BundleLayout& layout) {
  std::size_t offset = 0;
  for (const std::uint32_t column : bundle.columns) {
    assert(column < shape.columns.size());
    const ColumnBasis& basis = shape.columns[column];
    const bool linear = basis.kind == ColumnBasis::Kind::linear;
    assert(linear || (basis.num_knots >= 2 && basis.mean.size() == basis.num_knots));
    layout.column_offset.push_back(offset);
    (linear ? layout.linear_columns : layout.knot_columns)
        .push_back({column, static_cast<std::uint32_t>(offset),
                    static_cast<std::uint32_t>(linear ? 0 : basis.num_knots)});
    offset += basis.num_parameters() * kLanes;
  }
  return offset;
}

BundleLayout layout_from(const EnsembleShape& shape, const Bundle& bundle, std::size_t first) {
  BundleLayout layout;
  layout.splits_per_tree = shape.num_splits_per_tree();
  layout.depth = shape.depth;
  layout.num_nodes = bundle.num_trees * layout.splits_per_tree;
  if (shape.skips()) layout.blocks_per_tree = SubtreeBlocks(shape.depth).num_blocks();
  layout.num_blocks = num_padded_nodes(shape, bundle) / kLanes;
  layout.block_stride = place_columns(shape, bundle, layout);
  layout.weights_size = layout.num_blocks * layout.block_stride;
  layout.biases_size = layout.num_blocks * kLanes;
  layout.leaves_size =
      round_up(bundle.num_trees * shape.num_leaves_per_tree() * bundle.num_outputs, kLanes);
  layout.weights = first;
  layout.biases = layout.weights + layout.weights_size;
  layout.leaves = layout.biases + layout.biases_size;
  return layout;
}

/// Trees in bundles of whole vectors of nodes, and a rest.
std::vector<std::size_t> bundle_sizes(std::size_t num_trees, int depth) {
  constexpr std::size_t kMaxTrees = 16;
  constexpr std::size_t kNodes = 256;
  const std::size_t most = std::clamp<std::size_t>(kNodes >> depth, 1, kMaxTrees);
  std::vector<std::size_t> sizes(num_trees / most, most);
  if (num_trees % most != 0) sizes.push_back(num_trees % most);
  return sizes;
}

/// Blocks of nodes of so many parts, each in bundles of its own.
std::size_t num_blocks(std::size_t num_trees, int depth, std::size_t num_parts) {
  std::size_t blocks = 0;
  for (std::size_t part = 0; part < num_parts; ++part) {
    const auto [begin, end] = even_part(num_trees, part, num_parts);
    for (const std::size_t count : bundle_sizes(end - begin, depth))
      blocks += round_up(count * ((std::size_t{1} << depth) - 1), kLanes) / kLanes;
  }
  return blocks;
}

/// Four or two threads would have equal shares of so many parts, unless more than a twentieth of
/// the nodes were padding then.
std::size_t even_parts(std::size_t num_trees, int depth) {
  const std::size_t whole = num_blocks(num_trees, depth, 1);
  for (const std::size_t num_parts : {4, 2}) {
    if (num_trees < num_parts) continue;
    if (20 * num_blocks(num_trees, depth, num_parts) <= 21 * whole) return num_parts;
  }
  return 1;
}

}  // namespace

std::size_t num_padded_nodes(const EnsembleShape& shape, const Bundle& bundle) {
  if (shape.skips()) return bundle.num_trees * SubtreeBlocks(shape.depth).num_blocks() * kLanes;
  return round_up(bundle.num_trees * shape.num_splits_per_tree(), kLanes);
}

std::size_t EnsembleShape::num_trees() const {
  std::size_t total = 0;
  for (const Bundle& bundle : bundles) total += bundle.num_trees;
  return total;
}

std::vector<std::size_t> EnsembleShape::columns_in_use() const {
  std::vector<bool> used(columns.size(), false);
  for (const Bundle& bundle : bundles) {
    for (const std::uint32_t column : bundle.columns) used[column] = true;
  }
  std::vector<std::size_t> in_use;
  for (std::size_t column = 0; column < used.size(); ++column) {
    if (used[column]) in_use.push_back(column);
  }
  return in_use;
}

Ensemble::Ensemble(EnsembleShape shape) : shape_(std::move(shape)) {
  assert(shape_.depth >= 1 && shape_.depth <= kMaxDepth);
  assert(shape_.gamma > 0);
  for (const Bundle& bundle : shape_.bundles) {
    assert(bundle.num_trees >= 1 && bundle.num_outputs >= 1);
    assert(bundle.first_output + bundle.num_outputs <= shape_.num_outputs);
    layouts_.push_back(layout_from(shape_, bundle, buffer_size_));
    buffer_size_ = layouts_.back().end();
  }
}

void scale_leaves(const Ensemble& ensemble, std::size_t first, std::size_t count, double factor,
                  std::span<float> values) {
  for (std::size_t index = 0; index < ensemble.shape().bundles.size(); ++index) {
    const Bundle& bundle = ensemble.shape().bundles[index];
    const std::size_t num_leaves = bundle.num_trees * ensemble.shape().num_leaves_per_tree();
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
      for (std::size_t k = 0; k < bundle.num_outputs; ++k) {
        const std::size_t output = bundle.first_output + k;
        if (output < first || output >= first + count) continue;
        float& value = values[ensemble.layout(index).leaves + leaf * bundle.num_outputs + k];
        value = static_cast<float>(value * factor);
      }
    }
  }
}

std::size_t narrow_trees_per_bundle(int depth) {
  const std::size_t num_splits = (std::size_t{1} << depth) - 1;
  return std::max<std::size_t>(1, kLanes / num_splits);
}

std::vector<Bundle> make_bundles(std::size_t num_trees, int depth,
                                 const std::vector<std::uint32_t>& columns,
                                 std::size_t first_output, std::size_t num_outputs) {
  assert(depth >= 1 && depth <= kMaxDepth);
  std::vector<Bundle> bundles;
  const std::size_t num_parts = even_parts(num_trees, depth);
  for (std::size_t part = 0; part < num_parts; ++part) {
    const auto [begin, end] = even_part(num_trees, part, num_parts);
    for (const std::size_t count : bundle_sizes(end - begin, depth)) {
      bundles.push_back({.columns = columns,
                         .num_trees = count,
                         .first_output = first_output,
                         .num_outputs = num_outputs});
    }
  }
  return bundles;
}

}  // namespace softwood
