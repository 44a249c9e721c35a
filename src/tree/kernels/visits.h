#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/aligned_vector.h"

namespace softwood {

/// The rows of a batch that reach one block (SubtreeBlocks) of one tree: visits first … first +
/// count − 1, rows ascending.
struct BlockVisits {
  std::uint32_t tree = 0;
  std::uint32_t block = 0;  ///< of its tree
  std::size_t first = 0, count = 0;
};

/// Who visits which block in one batch and bundle, found by the forward pass: parents before their
/// children, so that the backward pass goes from back to front. Buffers only grow.
struct Visits {
  /// Rows pass only where their probability is not exactly zero. false: everywhere, which gives the
  /// same outputs to the bit (a finite number times zero adds nothing) and is there to show it.
  bool skip = true;

  std::vector<BlockVisits> blocks;

  // Of every visit.
  std::size_t count = 0;
  AlignedVector<std::uint32_t> rows;     ///< of the batch
  AlignedVector<std::uint32_t> parents;  ///< the visit that it comes from
  AlignedVector<float> reach;            ///< the probability of coming here
  AlignedVector<float>
      nodes;  ///< [visit][lane] for backward(): u, then ∂loss/∂z; else of one block
  AlignedVector<float> worth;  ///< [visit above the bottom][child]: ∂loss/∂ a child's probability

  // Scratch, of the visits of one block.
  AlignedVector<float> child_reach;  ///< [visit][child]; in backward() [row][lane]
  std::vector<std::uint16_t> masks;  ///< which children are reached

  void clear() { blocks.clear(), count = 0; }
  /// The first of `more` new visits.
  std::size_t append(std::size_t more) {
    const std::size_t first = count;
    count += more;
    grow(rows, count), grow(parents, count), grow(reach, count);
    return first;
  }

  template <class T>
  static void grow(AlignedVector<T>& buffer, std::size_t size) {
    if (buffer.size() < size) buffer.resize(size + size / 2);
  }
};

}  // namespace softwood
