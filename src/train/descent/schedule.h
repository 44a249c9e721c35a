#pragma once

#include <cstddef>
#include <string_view>

namespace softwood {

/// The learning rate's course over a run, as a factor in [0, 1].
struct Schedule {
  enum class Kind {
    constant,     ///< 1
    cosine,       ///< ½(1 + cos πt): one slow fall to 0
    four_cycles,  ///< ½(1 − cos(2π log2(1 + 15t))): from 0 to 0, each twice as long
    doubling,     ///< the same cycles without an end: the first one has `cycle_steps` steps
  };
  Kind kind = Kind::constant;
  double cycle_steps = 0;         ///< doubling: steps of the first cycle
  std::size_t warm_up_steps = 0;  ///< the factor rises linearly over these first steps

  /// `step` in [0, num_steps).
  double factor(std::size_t step, std::size_t num_steps) const;

  bool operator==(const Schedule&) const = default;
};

/// How long cycles are together of which each is twice as long as the one before, in lengths of the
/// first: 1 + 2 + 4 + … = 2^count − 1.
constexpr int cycle_lengths(int count) {
  return (1 << count) - 1;
}

/// Throws Error for an unknown name.
Schedule::Kind schedule_kind(std::string_view name);

}  // namespace softwood
