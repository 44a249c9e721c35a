#pragma once

#include <cstddef>

#include "base/aligned_vector.h"
#include "tree/ensemble.h"

namespace softwood {

/// Sizes on which the kernels and their scratch memory agree.

/// Most blocks of nodes that one pass over the rows serves.
inline constexpr std::size_t kMaxBlocks = 2;
/// Tiles of rows whose nodes are scored before they are routed: few enough to be still in cache.
inline constexpr std::size_t kTilesTogether = 16;
/// Leaves (of one or several trees) whose reach is found before it is multiplied by their values.
inline constexpr std::size_t kLeavesTogether = 128;

/// Floats between two outputs' or leaves' rows: whole tiles and one more, because rows a power of
/// two apart would fight for the same few lines of the cache.
constexpr std::size_t padded_stride(std::size_t rows) {
  return round_up(rows, kLanes) + kLanes;
}

}  // namespace softwood
