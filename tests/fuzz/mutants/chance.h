#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace softwood::fuzz {

/// What a seed decides: the same on every machine, which the distributions of <random> are not.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}

  /// 0 … count − 1; 0 of none.
  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <class List>
  const auto& one_of(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace softwood::fuzz
