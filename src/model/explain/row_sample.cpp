#include "model/explain/row_sample.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace softwood {

std::vector<std::uint32_t> sample_rows(std::size_t num_rows, std::size_t max_rows,
                                       std::uint64_t seed, std::string_view purpose) {
  std::vector<std::uint32_t> rows(num_rows);
  std::iota(rows.begin(), rows.end(), 0U);
  RandomStream(seed, purpose).shuffle(rows);
  rows.resize(std::min(num_rows, max_rows));
  return rows;
}

}  // namespace softwood
