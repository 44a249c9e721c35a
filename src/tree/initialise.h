#pragma once

#include <cstdint>
#include <span>

#include "tree/ensemble.h"

namespace softwood {

struct InitialLimits {
  float splits = 0;  ///< split weights are uniform in ±splits, biases 0
  float leaves = 0;  ///< leaf values are uniform in ±leaves
};

/// Leaves start nearly equal.
inline constexpr float kInitialLeafLimit = 0.005F;
/// Of trees that see the same columns: Glorot's rule for the splits, all trees being one layer.
InitialLimits glorot_limits(const EnsembleShape& shape);

/// Overwrites one bundle's part of `parameters` (a whole ensemble buffer) with random starting
/// values. A tree's values depend on `seed`, its number (`first_tree` + its place in the bundle)
/// and its columns alone, not on how trees are bundled. Knots that no training row touches (mean 0)
/// start at 0: nothing would ever correct them. Padding is 0.
void initialise_bundle(const Ensemble& ensemble, std::size_t bundle, std::uint64_t seed,
                       std::size_t first_tree, InitialLimits limits, std::span<float> parameters);

/// All bundles, trees numbered through from `first_tree` on.
void initialise(const Ensemble& ensemble, std::uint64_t seed, std::size_t first_tree,
                InitialLimits limits, std::span<float> parameters);

}  // namespace softwood
