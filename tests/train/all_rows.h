#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace softwood {

/// 0, 1, … count − 1.
inline std::vector<std::uint32_t> all_rows(std::size_t count) {
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

}  // namespace softwood
