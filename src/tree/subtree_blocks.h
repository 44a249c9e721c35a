#pragma once

#include <bit>
#include <cstddef>

namespace softwood {

/// How the splits of one deep tree are dealt to blocks of 16 lanes if rows are to skip what they do
/// not reach: every block is a subtree of four levels, in breadth-first order, its last lane empty;
/// only block 0, the top, has as many levels (1 to 4) as make the rest come out. Blocks are
/// numbered level by level. A row then needs a whole block or nothing of it, and one block for
/// every four levels.
class SubtreeBlocks {
 public:
  static constexpr int kLevels = 4;
  static constexpr std::size_t kChildren = std::size_t{1} << kLevels;

  constexpr explicit SubtreeBlocks(int depth) : top_levels_((depth - 1) % kLevels + 1) {
    for (int level = top_levels_; level < depth; level += kLevels) {
      first_bottom_ = num_blocks_;
      num_blocks_ += std::size_t{1} << level;
    }
  }

  constexpr int top_levels() const { return top_levels_; }
  constexpr std::size_t num_blocks() const { return num_blocks_; }
  constexpr int levels(std::size_t block) const { return block == 0 ? top_levels_ : kLevels; }
  /// Blocks from here on have leaves as their children: block first_bottom() + i leaves 16 i, ….
  constexpr std::size_t first_bottom() const { return first_bottom_; }
  /// The children of a block above the bottom are this one and those after it.
  constexpr std::size_t first_child(std::size_t block) const {
    return block == 0 ? 1 : kChildren * block + (std::size_t{1} << top_levels_) + 1 - kChildren;
  }

  /// Which child of its parent a block below the top is.
  constexpr std::size_t place_in_parent(std::size_t block) const {
    const std::size_t of_top = std::size_t{1} << top_levels_;
    return block <= of_top ? block - 1 : (block - of_top - 1) % kChildren;
  }

  /// Block · 16 + lane of split `i` in breadth-first order.
  constexpr std::size_t slot(std::size_t i) const {
    const int level = static_cast<int>(std::bit_width(i + 1)) - 1;
    const std::size_t place = i + 1 - (std::size_t{1} << level);  // among the splits of its level
    if (level < top_levels_) return i;
    const int below = (level - top_levels_) % kLevels;  // levels under its block's first split
    std::size_t first = 1;                              // block of that level
    for (int root = top_levels_; root + kLevels <= level; root += kLevels) {
      first += std::size_t{1} << root;
    }
    const std::size_t width = std::size_t{1} << below;
    return (first + place / width) * kChildren + width - 1 + place % width;
  }

 private:
  int top_levels_;
  std::size_t num_blocks_ = 1, first_bottom_ = 0;
};

}  // namespace softwood
