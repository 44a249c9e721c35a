#include "data/encoder/curve_scale.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace softwood {
namespace {

/// The value a fraction `place` / `parts` of the way through the sorted values, between two
/// neighbours if need be.
double quantile(std::span<const double> sorted, std::size_t place, std::size_t parts) {
  const std::size_t steps = place * (sorted.size() - 1);
  const std::size_t below = steps / parts;
  const double fraction = static_cast<double>(steps % parts) / static_cast<double>(parts);
  if (fraction == 0) return sorted[below];
  return std::lerp(sorted[below], sorted[below + 1], fraction);
}

/// The distinct ones among the `parts` + 1 quantiles.
std::vector<double> distinct_quantiles(std::span<const double> sorted, std::size_t parts) {
  std::vector<double> edges;
  for (std::size_t place = 0; place <= parts; ++place) {
    const double edge = quantile(sorted, place, parts);
    if (edges.empty() || edge > edges.back()) edges.push_back(edge);
  }
  return edges;
}

/// A value that fills many bins (the zeros of an amount) leaves bins over: the finest quantiles
/// that have no more than `bins` distinct bins give them to the other values.
std::vector<double> refilled_quantiles(std::span<const double> sorted, std::size_t bins) {
  std::size_t enough = bins, too_many = sorted.size();
  std::vector<double> edges = distinct_quantiles(sorted, enough);
  while (edges.size() < bins + 1 && too_many - enough > 1) {
    const std::size_t parts = enough + (too_many - enough) / 2;
    std::vector<double> finer = distinct_quantiles(sorted, parts);
    if (finer.size() > bins + 1) {
      too_many = parts;
    } else {
      enough = parts;
      if (finer.size() >= edges.size()) edges = std::move(finer);
    }
  }
  return edges;
}

/// Two edges around a single value: it and one above, or one below for the largest doubles.
std::vector<double> edges_around(double value) {
  const double above = value + std::max(1.0, std::abs(value));
  if (std::isfinite(above)) return {value, above};
  return {value / 2, value};
}

/// The distinct values if there are at most `most` of them, otherwise none.
std::vector<double> few_distinct(std::span<const double> sorted, std::size_t most) {
  std::vector<double> distinct;
  for (const double value : sorted) {
    if (!distinct.empty() && distinct.back() == value) continue;
    if (distinct.size() == most) return {};
    distinct.push_back(value);
  }
  return distinct;
}

/// The last edge that is not above the value. Halving without a branch: which half it is cannot be
/// guessed, and guessing wrong costs more than all the rest.
std::size_t bin_of(std::span<const double> edges, double value) {
  const double* from = edges.data();
  for (std::size_t count = edges.size(); count > 1;) {
    const std::size_t half = count / 2;
    from += half * static_cast<std::size_t>(from[half] <= value);
    count -= half;
  }
  return static_cast<std::size_t>(from - edges.data());
}

}  // namespace

std::vector<double> equal_frequency_edges(std::vector<double> values, int bins) {
  std::sort(values.begin(), values.end());
  return edges_of_sorted(values, bins);
}

std::vector<double> edges_of_sorted(std::span<const double> sorted, int bins) {
  assert(!sorted.empty() && bins >= 1);
  if (sorted.front() == sorted.back()) return edges_around(sorted.front());
  const auto parts = static_cast<std::size_t>(bins);
  std::vector<double> distinct = few_distinct(sorted, parts + 1);
  return distinct.empty() ? refilled_quantiles(sorted, parts) : distinct;
}

std::vector<double> hybrid_edges(std::vector<double> values, int bins,
                                 const std::vector<double>& edges) {
  std::sort(values.begin(), values.end());
  return hybrid_edges_of_sorted(std::move(values), bins, edges);
}

std::vector<double> hybrid_edges_of_sorted(std::vector<double> sorted, int bins,
                                           const std::vector<double>& edges) {
  assert(!sorted.empty() && bins >= 1);
  const auto wish = static_cast<std::size_t>(bins);
  std::vector<double> all(edges);
  const auto add = [&](const std::vector<double>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  const std::vector<double> distinct = few_distinct(sorted, wish + 1);
  if (!distinct.empty()) {
    add(distinct);
  } else {
    add(distinct_quantiles(sorted, std::max<std::size_t>(1, 2 * wish / 3)));
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    add(distinct_quantiles(sorted, std::max<std::size_t>(1, wish / 3)));
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

float curve_position(std::span<const double> edges, double value) {
  return static_cast<float>(curve_place(edges, value).position);
}

ScalePlace curve_place(std::span<const double> edges, double value) {
  if (std::isnan(value)) return {static_cast<double>(edges.size()), 0};
  if (value <= edges.front()) return {0, 0};
  if (value >= edges.back()) return {static_cast<double>(edges.size() - 1), 0};
  const std::size_t bin = bin_of(edges, value);
  // Halves keep a bin wider than the largest double finite.
  const double part = std::isfinite(edges[bin + 1] - edges[bin]) ? 1 : 0.5;
  const double from = edges[bin] * part, width = edges[bin + 1] * part - from;
  return {static_cast<double>(bin) + (value * part - from) / width, part / width};
}

}  // namespace softwood
