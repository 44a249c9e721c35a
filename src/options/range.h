#pragma once

#include <limits>
#include <string>

namespace softwood {

/// The numbers that an option may have; always finite ones.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above_least = false;  ///< `least` itself is not one of them
  bool below_most = false;   ///< nor is `most`

  bool contains(double value) const;
  bool has_both_ends() const;
};

constexpr Range at_least(double least) {
  return {.least = least};
}
constexpr Range between(double least, double most) {
  return {.least = least, .most = most};
}
constexpr Range from_and_below(double least, double most) {
  return {.least = least, .most = most, .below_most = true};
}
inline constexpr Range kPositive = {.least = 0, .above_least = true};
inline constexpr Range kNotNegative = {.least = 0};

/// "1 to 10", "positive", "at least 0 and below 1", …
std::string range_text(const Range& range);

}  // namespace softwood
