#pragma once

#include <span>
#include <vector>

#include "base/aligned_vector.h"
#include "data/encoder/encoder.h"
#include "train/choices/settings.h"
#include "train/start/hard_tree.h"
#include "tree/ensemble.h"

namespace softwood {

/// A group of trees and the parameters that training starts from.
struct InitialTrees {
  Ensemble ensemble;
  AlignedVector<float> parameters;
  /// So many bundles in a row are the same trees for different outputs, pulled together.
  std::size_t num_coupled = 1;
};

/// Outputs that have splits of their own.
struct OutputRange {
  std::size_t first = 0, count = 0;
};

/// What all groups of a model have in common.
struct FeatureSpace {
  std::vector<ColumnBasis> columns;  ///< as Encoder::scales()
  std::size_t num_sources = 0;       ///< encoded columns: so many scales come first
  std::size_t num_outputs = 0;
};

/// Trees that see every column, on its coarse scale: splits Glorot-uniform, biases 0, leaves small.
/// `first_tree`: number of the first one, so that groups differ.
InitialTrees initial_wide_trees(const Settings& settings, const GroupSettings& group,
                                const FeatureSpace& space, std::size_t first_tree);

/// Trees that see the columns of hard trees, on their fine scales, and start as these made soft.
/// Few trees share one list of columns (narrow_trees_per_bundle), and then see each other's.
InitialTrees initial_narrow_trees(const Settings& settings, const FeatureSpace& space,
                                  std::span<const HardTree> trees);

/// The same trees, once for every range of the outputs, which then go their own ways from one
/// start; each bundle's copies stand together.
InitialTrees repeat_for_outputs(const InitialTrees& initial, std::span<const OutputRange> ranges);

/// A bundle's weights, biases and leaves of some outputs, as they stand in a buffer of an ensemble
/// that has only those.
std::vector<float> part_of_bundle(const Ensemble& ensemble, std::size_t bundle,
                                  const OutputRange& range, std::span<const float> values);

/// Hard trees on `columns_per_tree` columns each, drawn at random as their splits are; leaves
/// small.
std::vector<HardTree> random_trees(const Settings& settings, const GroupSettings& group,
                                   const FeatureSpace& space, std::uint64_t stream);

}  // namespace softwood
