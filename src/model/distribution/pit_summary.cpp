#include "model/distribution/pit_summary.h"

#include <algorithm>
#include <cmath>

namespace softwood {
namespace {

constexpr std::size_t kBins = 10;

/// The part of [low, high] that is inside [from, to]; of a point, whether it is in [from, to).
double share_inside(double low, double high, double from, double to) {
  if (!(high > low)) return low >= from && (low < to || to == 1) ? 1 : 0;
  return std::max(0.0, std::min(high, to) - std::max(low, from)) / (high - low);
}

}  // namespace

double coverage(const PitIntervals& pit, const std::vector<bool>& censored, double level) {
  const double from = (1 - level) / 2, to = (1 + level) / 2;
  double inside = 0, counted = 0;
  for (std::size_t row = 0; row < pit.low.size(); ++row) {
    const double low = pit.low[row], high = pit.high[row];
    if (std::isnan(low) || std::isnan(high)) continue;
    ++counted;
    if (!censored.empty() && censored[row]) {
      inside += share_inside(low, high, from, to);
    } else {
      // y ≥ quantile(from) where P(Y ≤ y) ≥ from; y ≤ quantile(to) where P(Y < y) < to.
      inside += high >= from && low < to ? 1 : 0;
    }
  }
  return inside / counted;
}

std::vector<double> pit_histogram(const PitIntervals& pit) {
  std::vector<double> shares(kBins, 0.0);
  double counted = 0;
  for (std::size_t row = 0; row < pit.low.size(); ++row) {
    if (std::isnan(pit.low[row]) || std::isnan(pit.high[row])) continue;
    ++counted;
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      shares[bin] += share_inside(pit.low[row], pit.high[row], static_cast<double>(bin) / kBins,
                                  static_cast<double>(bin + 1) / kBins);
    }
  }
  for (double& share : shares) share /= counted;
  return shares;
}

}  // namespace softwood
