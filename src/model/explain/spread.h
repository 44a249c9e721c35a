#pragma once

#include <numeric>
#include <span>

namespace softwood {

/// `values` must not be empty.
inline double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Mean squared distance from the mean.
inline double variance_of(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size());
}

}  // namespace softwood
