#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace softwood {

/// In place of the ticks of a missing moment; NumPy's NaT.
inline constexpr std::int64_t kNoMoment = std::numeric_limits<std::int64_t>::min();

/// Seconds of a whole number of ticks, `per_second` ≥ 1 of them to a second.
inline double seconds_of_span(std::int64_t ticks, std::int64_t per_second) {
  return static_cast<double>(ticks) / static_cast<double>(per_second);
}

/// Seconds since 1970 of a moment in ticks since 1970. Days, seconds and fraction are added in the
/// order in which parse_date adds them, so a moment has the same bits from a file and from a frame.
inline double seconds_of_moment(std::int64_t ticks, std::int64_t per_second) {
  const std::int64_t per_day = 86400 * per_second;
  std::int64_t day = ticks / per_day, rest = ticks % per_day;
  if (rest < 0) {
    rest += per_day;
    --day;
  }
  const std::int64_t second = rest / per_second;
  const double fraction = seconds_of_span(rest % per_second, per_second);
  return static_cast<double>(day) * 86400 + (static_cast<double>(second) + fraction);
}

/// The nearest microsecond, which is what a double tells apart in this century; kNoMoment for NaN
/// and beyond what 64 bits reach (some 292 000 years).
inline std::int64_t microseconds_of(double seconds) {
  if (!(std::abs(seconds) < 9e12)) return kNoMoment;
  const double whole = std::floor(seconds);
  return static_cast<std::int64_t>(whole) * 1000000 +
         static_cast<std::int64_t>(std::round((seconds - whole) * 1e6));
}

}  // namespace softwood
