#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace softwood {

/// When and how much the exponential average of the weights moves. It reaches back about `epochs`
/// epochs; early on it is the plain mean of what there is. Updating it in every step would cost a
/// pass over all weights, and 64 times an epoch is as good.
class WeightAverage {
 public:
  WeightAverage(double epochs, std::size_t steps_per_epoch)
      : every_(std::max<std::size_t>(1, steps_per_epoch / 64)),
        reach_(std::max(
            1.0, epochs * static_cast<double>(steps_per_epoch) / static_cast<double>(every_))) {}

  /// The weight of the new parameters after step number `step` (from 0); 0 = not this time.
  float weight_at(std::size_t step) const {
    if ((step + 1) % every_ != 0) return 0;
    const std::size_t updates = (step + 1) / every_;
    return static_cast<float>(1 / std::min(static_cast<double>(updates), reach_));
  }

 private:
  std::size_t every_;
  double reach_;
};

}  // namespace softwood
