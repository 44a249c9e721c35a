#pragma once

#include <cmath>
#include <span>

#include "task/responses.h"

namespace softwood {

/// The weighted mean of a loss over the rows that have a response, part by part.
struct MeanLoss {
  double loss = 0;    ///< Σ weight · loss
  double weight = 0;  ///< of all rows that had a response

  /// Of one more part: `y` is NaN where there is no response; `weights` empty = all 1.
  void add(std::span<const double> y, std::span<const double> losses,
           std::span<const double> weights) {
    for (std::size_t row = 0; row < y.size(); ++row) {
      if (std::isnan(y[row])) continue;
      const double own = weights.empty() ? 1 : weights[row];
      loss += own * losses[row];
      weight += own;
    }
  }
  void add(const MeanLoss& part) {
    loss += part.loss;
    weight += part.weight;
  }
  /// NaN if none had one.
  double value() const { return weight > 0 ? loss / weight : std::nan(""); }
};

/// A task's mean loss, given its f [its outputs × rows].
double mean_loss(const Task& task, const Responses& responses, std::span<const double> weights,
                 std::span<const double> f);

}  // namespace softwood
