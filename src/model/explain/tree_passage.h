#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/model_parts.h"

namespace softwood {

/// How some rows pass through one tree.
struct TreePassage {
  /// [split][column of the tree's bundle]: standard deviation of what the column adds to z.
  std::vector<std::vector<double>> strengths;
  /// Mean probability of coming to each node: splits breadth first, then leaves from left to right.
  std::vector<double> shares;
};

/// In double, from the knot values; `rows` must not be empty.
TreePassage pass_through(const Member& member, std::size_t tree, MatrixView<const float> positions,
                         std::span<const std::uint32_t> rows);

}  // namespace softwood
