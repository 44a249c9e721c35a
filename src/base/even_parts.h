#pragma once

#include <cstddef>

namespace softwood {

/// Items [begin, end).
struct ItemRange {
  std::size_t begin = 0, end = 0;
};

/// The contiguous part number `part` of `count` items in `num_parts` parts, which differ by one
/// item at most.
inline ItemRange even_part(std::size_t count, std::size_t part, std::size_t num_parts) {
  return {count * part / num_parts, count * (part + 1) / num_parts};
}

}  // namespace softwood
