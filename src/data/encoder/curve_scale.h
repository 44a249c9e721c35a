#pragma once

#include <span>
#include <vector>

namespace softwood {

/// Edges of at most `bins` bins with about equally many of `values` each: quantiles, each distinct
/// one once, finer if a frequent value would leave bins unused. With at most bins + 1 distinct
/// values, these are the edges. A single distinct value gets another edge beside it, for a curve
/// needs two. `values`: finite, at least one, in any order.
std::vector<double> equal_frequency_edges(std::vector<double> values, int bins);
/// The same of values that ascend.
std::vector<double> edges_of_sorted(std::span<const double> sorted, int bins);

/// A finer scale that has all `edges` of equal_frequency_edges(values, …) among its own: about
/// `bins` bins, two thirds of them at quantiles of the values, one third at quantiles of the
/// distinct values, so that both crowded and sparse regions are resolved; all distinct values if
/// they are at most bins + 1.
std::vector<double> hybrid_edges(std::vector<double> values, int bins,
                                 const std::vector<double>& edges);
/// The same of values that ascend, which it uses up.
std::vector<double> hybrid_edges_of_sorted(std::vector<double> sorted, int bins,
                                           const std::vector<double>& edges);

/// Where `value` sits on the scale: index of its bin + fraction of the way through it, from 0 to
/// edges.size() − 1; values beyond the edges sit at the ends. Monotone; at an edge exactly its
/// index. Missing (NaN) is at edges.size().
float curve_position(std::span<const double> edges, double value);

/// A place on a scale and how fast it moves with the value.
struct ScalePlace {
  double position = 0;
  double slope = 0;
};
/// The same in double, with its slope: 1 / width of the bin; 0 outside the edges and at missing.
ScalePlace curve_place(std::span<const double> edges, double value);

}  // namespace softwood
