#pragma once

#include <span>
#include <vector>

#include "loss/loss_program.h"

namespace softwood::loss {

/// Rows of a loss's data with their weights, owned.
struct WeightedRows {
  std::vector<double> y;
  std::vector<std::vector<double>> columns;
  std::vector<double> weights;
  double total_weight = 0;

  /// The rows that have a response and a weight above 0; `row_weights` empty = all 1.
  static WeightedRows with_response(const LossData& data, std::span<const double> row_weights);

  std::size_t size() const { return y.size(); }
  LossData data() const;
  /// At most `count` rows, at a fixed stride.
  WeightedRows every_nth_up_to(std::size_t count) const;
  /// Equal rows become one with the sum of their weights. Exact for what depends on the data alone,
  /// and counts and classes shrink to a handful of rows.
  WeightedRows merged() const;

 private:
  void append(const WeightedRows& source, std::size_t row);
};

/// The median of |x| over the finite ones; 0 if there are none.
double median_of_finite_magnitudes(std::vector<double> values);

}  // namespace softwood::loss
