#pragma once

#include <cmath>
#include <span>

#include "task/responses.h"

namespace softwood {

/// The weighted mean of a loss over the rows that have a response, part by part.
class MeanLoss {
 public:
  /// Of one more part: `y` is NaN where there is no response; `weights` empty = all 1.
  void add(std::span<const double> y, std::span<const double> losses,
           std::span<const double> weights) {
    for (std::size_t row = 0; row < y.size(); ++row) {
      if (std::isnan(y[row])) continue;
      const double weight = weights.empty() ? 1 : weights[row];
      loss_ += weight * losses[row];
      weight_ += weight;
    }
  }
  void add(const MeanLoss& part) {
    loss_ += part.loss_;
    weight_ += part.weight_;
  }
  /// Of all rows that had a response.
  double weight() const { return weight_; }
  /// NaN if none had one.
  double value() const { return weight_ > 0 ? loss_ / weight_ : std::nan(""); }

 private:
  double loss_ = 0, weight_ = 0;
};

/// A task's mean loss, given its f [its outputs × rows].
double mean_loss(const Task& task, const Responses& responses, std::span<const double> weights,
                 std::span<const double> f);

}  // namespace softwood
