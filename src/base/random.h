#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace softwood {

/// Counter-based random numbers (Philox 4x32-10, Salmon et al. 2011): the value at a counter
/// depends on seed, purpose and counter alone, so the same numbers come whatever the order, the
/// thread or the point of resumption. `purpose` keeps streams apart: RandomStream(seed, "shuffle",
/// epoch).
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view purpose, std::uint64_t index = 0);

  /// The 64 random bits at `counter`.
  std::uint64_t bits(std::uint64_t counter) const;
  /// Uniform in [0, 1), 53 bits.
  double uniform(std::uint64_t counter) const;
  /// Uniform in {0, …, bound − 1}; `bound` ≥ 1. Bias below bound / 2^64.
  std::uint64_t below(std::uint64_t counter, std::uint64_t bound) const;

  /// Fisher–Yates; uses counters 0 … values.size() − 1.
  void shuffle(std::span<std::uint32_t> values) const;

 private:
  std::uint64_t key_;
  std::uint64_t index_;
};

}  // namespace softwood
