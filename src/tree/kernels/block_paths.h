#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tree/ensemble.h"

namespace softwood {

/// One whole number per lane: the index of another lane, or a mask (−1: yes, 0: no).
using LaneTable = std::array<std::int32_t, kLanes>;

/// The ways through a subtree of `levels` levels, whose node i stands in lane i, breadth first, and
/// whose child j (or leaf) in lane j; 2^levels children.
struct PathRules {
  int levels;

  constexpr std::size_t num_children() const { return std::size_t{1} << levels; }
  template <class At>
  constexpr LaneTable for_children(const At& at) const {
    LaneTable table{};
    for (std::size_t j = 0; j < num_children(); ++j) table[j] = static_cast<std::int32_t>(at(j));
    return table;
  }
  /// The node of that level on the way to each child.
  constexpr LaneTable node(int level) const {
    return for_children([&](std::size_t j) { return (1U << level) - 1 + (j >> (levels - level)); });
  }
  constexpr LaneTable goes_right(int level) const {
    return for_children([&](std::size_t j) { return (j >> (levels - 1 - level)) & 1 ? -1 : 0; });
  }
  /// A child that goes the other way there, all else being equal.
  constexpr LaneTable other(int level) const {
    return for_children([&](std::size_t j) { return j ^ (1U << (levels - 1 - level)); });
  }
  constexpr LaneTable is_child() const {
    return for_children([](std::size_t) { return -1; });
  }
  /// The nodes of a level.
  constexpr LaneTable is_at(int level) const {
    LaneTable table{};
    for (std::size_t i = (1U << level) - 1; i + 1 < (2U << level); ++i) table[i] = -1;
    return table;
  }
  /// Some child below each node.
  constexpr LaneTable child_below() const {
    LaneTable table{};
    for (int level = 0; level < levels; ++level) {
      for (std::size_t place = 0; place < (1U << level); ++place) {
        table[(1U << level) - 1 + place] = static_cast<std::int32_t>(place << (levels - level));
      }
    }
    return table;
  }
};

/// The same as constants, where vectors can read them; four levels each, unused ones empty.
template <int kLevels>
struct Paths {
  static constexpr PathRules kRules{kLevels};
  template <class Make>
  static constexpr std::array<LaneTable, 4> all(const Make& make) {
    std::array<LaneTable, 4> tables{};
    for (int level = 0; level < kLevels; ++level)
      tables[static_cast<std::size_t>(level)] = make(level);
    return tables;
  }
  alignas(64) static constexpr std::array<LaneTable, 4> kNode = all([](int level) {
    return kRules.node(level);
  });
  alignas(64) static constexpr std::array<LaneTable, 4> kGoesRight = all([](int level) {
    return kRules.goes_right(level);
  });
  alignas(64) static constexpr std::array<LaneTable, 4> kOther = all([](int level) {
    return kRules.other(level);
  });
  alignas(64) static constexpr std::array<LaneTable, 4> kIsAt = all([](int level) {
    return kRules.is_at(level);
  });
  alignas(64) static constexpr LaneTable kIsChild = kRules.is_child();
  alignas(64) static constexpr LaneTable kChildBelow = kRules.child_below();
};

}  // namespace softwood
