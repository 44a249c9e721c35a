#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_team.h"
#include "base/views.h"
#include "tree/ensemble.h"

namespace softwood {

/// Some rows of an encoded table; both borrowed.
struct ChosenRows {
  MatrixView<const float> positions;    ///< [columns × all rows]
  std::span<const std::uint32_t> rows;  ///< which of them, in which order
};

/// g [outputs × rows]: what the trees add up to, of every row or of those chosen. `values`: an
/// ensemble buffer of knot values, biases and leaves.
std::vector<double> tree_sums(const Ensemble& ensemble, std::span<const float> values,
                              MatrixView<const float> positions, ThreadTeam& team);
std::vector<double> tree_sums(const Ensemble& ensemble, std::span<const float> values,
                              const ChosenRows& chosen, ThreadTeam& team);

}  // namespace softwood
