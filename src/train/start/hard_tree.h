#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace softwood {

/// One split of a hard tree: which rows go left.
struct HardSplit {
  std::uint32_t column = 0;   ///< index of the encoded column
  float threshold = 0;        ///< curve, linear: positions below it go left
  bool missing_left = false;  ///< curve: where rows without a value go
  std::vector<bool> left{};   ///< levels: per knot, whether it goes left
};

/// A hard tree of full depth.
struct HardTree {
  /// Breadth first (children of i: 2i + 1 left, 2i + 2 right). None: nothing is gained by
  /// splitting, and all leaves below have one value.
  std::vector<std::optional<HardSplit>> splits;
  std::vector<double> leaves;  ///< [leaf][output]: what it adds to g

  /// The columns its splits use, each once, ascending.
  std::vector<std::uint32_t> columns() const;
};

}  // namespace softwood
