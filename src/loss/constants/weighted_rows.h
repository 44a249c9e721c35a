#pragma once

#include <span>
#include <vector>

#include "loss/language/loss_program.h"

namespace softwood::loss {

/// Rows of a loss's data with their weights, owned.
struct WeightedRows {
  std::vector<double> y;
  std::vector<std::vector<double>> columns;
  std::vector<double> weights;
  double total_weight = 0;

  /// The rows that have a response and a weight above 0, with weights of mean 1 whatever their
  /// size; `row_weights` empty = all 1. Weights that vanish beside the largest one count as 0.
  static WeightedRows with_response(const LossData& data, std::span<const double> row_weights);

  std::size_t size() const { return y.size(); }
  double share(std::size_t row) const { return weights[row] / total_weight; }
  LossData data() const;
  /// At most `count` rows, at a fixed stride.
  WeightedRows every_nth_up_to(std::size_t count) const;
  /// Equal rows become one with the sum of their weights. Exact for what depends on the data alone,
  /// and counts and classes shrink to a handful of rows.
  WeightedRows merged() const;
  /// Every row three times: as it is, and with a response that is smaller or larger by `part`.
  WeightedRows varied(double part) const;

 private:
  void append(const WeightedRows& source, std::size_t row);
};

/// Of the responses, weighted.
struct Moments {
  double mean = 0;
  double sd = 0;    ///< exactly 0 if all are equal; infinite if their differences are
  double size = 0;  ///< the mean of |y|
};

/// Exact to rounding for responses of any size and with any common part: differences are taken
/// before squares, and squares of numbers near 1.
Moments weighted_moments(const WeightedRows& rows);

double weighted_median(const WeightedRows& rows);

/// Divides by the mean without overflow; all are finite and zero or more, one is above 0.
void make_mean_one(std::vector<double>& weights);

/// The median of |x| over the finite ones; 0 if there are none.
double median_of_finite_magnitudes(std::vector<double> values);

}  // namespace softwood::loss
