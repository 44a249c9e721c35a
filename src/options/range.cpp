#include "options/range.h"

#include <cmath>

#include <fmt/format.h>

namespace softwood {
namespace {

/// 10, 1e6, 1e-6.
std::string number_text(double number) {
  std::string text = fmt::format("{:g}", number);
  const std::size_t exponent = text.find('e');
  if (exponent == std::string::npos) return text;
  const std::string power = fmt::format("{}", std::stoi(text.substr(exponent + 1)));
  return text.substr(0, exponent + 1) + power;
}

}  // namespace

bool Range::contains(double value) const {
  if (!std::isfinite(value)) return false;
  const bool high_enough = above_least ? value > least : value >= least;
  const bool low_enough = below_most ? value < most : value <= most;
  return high_enough && low_enough;
}

bool Range::has_both_ends() const {
  return std::isfinite(least) && std::isfinite(most);
}

std::string range_text(const Range& range) {
  if (!range.has_both_ends()) {
    if (range.least == 0) return range.above_least ? "positive" : "zero or more";
    return fmt::format("{} {}", range.above_least ? "above" : "at least", number_text(range.least));
  }
  if (!range.above_least && !range.below_most) {
    return fmt::format("{} to {}", number_text(range.least), number_text(range.most));
  }
  return fmt::format("{} {} and {} {}", range.above_least ? "above" : "at least",
                     number_text(range.least), range.below_most ? "below" : "at most",
                     number_text(range.most));
}

}  // namespace softwood
