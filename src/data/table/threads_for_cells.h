#pragma once

#include <cstddef>

namespace softwood {

/// How many threads a ThreadTeam should have to go over so many cells once: with few cells it takes
/// longer to start than to help.
inline int threads_for_cells(std::size_t num_cells) {
  return num_cells < (std::size_t{1} << 18) ? 1 : 0;
}

}  // namespace softwood
