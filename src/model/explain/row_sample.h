#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace softwood {

/// At most `max_rows` distinct rows of [0, num_rows) in a random order that follows from seed and
/// purpose.
std::vector<std::uint32_t> sample_rows(std::size_t num_rows, std::size_t max_rows,
                                       std::uint64_t seed, std::string_view purpose);

}  // namespace softwood
