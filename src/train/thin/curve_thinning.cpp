#include "train/thin/curve_thinning.h"

#include <algorithm>
#include <cstddef>
#include <queue>

namespace softwood {
namespace {

/// Interpolation leaves about twice the error that least squares do.
constexpr double kErrorOfFit = 0.5;

/// Weighted sums over the edges before an edge.
struct Sums {
  double w = 0, x = 0, xx = 0, v = 0, vv = 0, xv = 0;
};

class Merging {
 public:
  Merging(std::span<const double> places, std::span<const double> weights,
          std::span<const float> values)
      : places_(places), values_(values), sums_(places.size() + 1), segments_(places.size(), 0.0) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double w = weights[i], x = places[i], v = values[i];
      const Sums& s = sums_[i];
      sums_[i + 1] = {s.w + w,     s.x + w * x,      s.xx + w * x * x,
                      s.v + w * v, s.vv + w * v * v, s.xv + w * x * v};
      before_.push_back(i - 1);
      after_.push_back(i + 1);
    }
  }

  CurveThinning run() {
    const std::size_t num_edges = places_.size();
    CurveThinning thinning;
    double total = 0;
    for (std::size_t edge = 1; edge + 1 < num_edges; ++edge) push(edge);
    while (!queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      if (best.version != versions_[best.edge]) continue;
      total += remove(best.edge);
      add(best.edge, kErrorOfFit * total, thinning);
    }
    add(num_edges - 1, variance(), thinning);
    return thinning;
  }

 private:
  struct Candidate {
    double cost;
    std::size_t edge, version;
    /// The dearest last; ties in the edges' order, so that any library comes to the same.
    bool operator<(const Candidate& other) const {
      return cost != other.cost ? cost > other.cost : edge > other.edge;
    }
  };

  static void add(std::size_t edge, double error, CurveThinning& thinning) {
    const double before = thinning.errors.empty() ? 0 : thinning.errors.back();
    thinning.order.push_back(static_cast<std::uint16_t>(edge));
    thinning.errors.push_back(static_cast<float>(std::max(before, error)));
  }

  /// Of the line from edge a to edge b: Σ w (v − line)² between them.
  double error_between(std::size_t a, std::size_t b) const {
    const Sums &from = sums_[a + 1], &to = sums_[b];
    const double width = places_[b] - places_[a];
    const double rise = static_cast<double>(values_[b]) - values_[a];
    const double slope = width > 0 ? rise / width : 0;
    const double base = values_[a] - slope * places_[a];
    const double w = to.w - from.w, x = to.x - from.x, xx = to.xx - from.xx, v = to.v - from.v,
                 vv = to.vv - from.vv, xv = to.xv - from.xv;
    const double error = vv - 2 * (base * v + slope * xv) + base * base * w + 2 * base * slope * x +
                         slope * slope * xx;
    return std::max(0.0, error);
  }

  double variance() const {
    const Sums& all = sums_.back();
    return std::max(0.0, all.vv / all.w - all.v / all.w * (all.v / all.w));
  }

  double cost_of(std::size_t edge) const {
    const std::size_t a = before_[edge];
    return error_between(a, after_[edge]) - segments_[a] - segments_[edge];
  }

  void push(std::size_t edge) {
    versions_.resize(places_.size(), 0);
    queue_.push({cost_of(edge), edge, ++versions_[edge]});
  }

  double remove(std::size_t edge) {
    const std::size_t a = before_[edge], b = after_[edge];
    const double cost = cost_of(edge);
    segments_[a] = error_between(a, b);
    after_[a] = b;
    before_[b] = a;
    versions_[edge] = 0;
    if (a > 0) push(a);
    if (b + 1 < places_.size()) push(b);
    return std::max(0.0, cost);
  }

  std::span<const double> places_;
  std::span<const float> values_;
  std::vector<Sums> sums_;
  std::vector<double> segments_;  // error of the line that begins at an edge
  std::vector<std::size_t> before_, after_, versions_;
  std::priority_queue<Candidate> queue_;
};

}  // namespace

std::size_t CurveThinning::count(double most) const {
  const auto end = std::ranges::upper_bound(errors, static_cast<float>(most));
  return static_cast<std::size_t>(end - errors.begin());
}

CurveThinning thin_curve(std::span<const double> places, std::span<const double> weights,
                         std::span<const float> values) {
  return Merging(places, weights, values).run();
}

/// The normal equations of hat functions have three diagonals.
std::vector<double> fitted_values(std::span<const double> places, std::span<const double> weights,
                                  std::span<const float> values,
                                  std::span<const std::size_t> kept) {
  const std::size_t size = kept.size();
  std::vector<double> diagonal(size, 0.0), beside(size, 0.0), right(size, 0.0);
  std::size_t segment = 0;
  for (std::size_t edge = 0; edge < places.size(); ++edge) {
    while (segment + 2 < size && edge >= kept[segment + 1]) ++segment;
    const double w = weights[edge], v = values[edge];
    double t = 0;
    if (size > 1) {
      const double from = places[kept[segment]], width = places[kept[segment + 1]] - from;
      t = width > 0 ? std::clamp((places[edge] - from) / width, 0.0, 1.0) : 0;
    }
    diagonal[segment] += w * (1 - t) * (1 - t);
    right[segment] += w * (1 - t) * v;
    if (t == 0) continue;
    beside[segment] += w * t * (1 - t);
    diagonal[segment + 1] += w * t * t;
    right[segment + 1] += w * t * v;
  }
  // Edges that stand at one place but for rounding have no line between them.
  for (std::size_t i = 0; i < size; ++i) {
    if (diagonal[i] == 0) diagonal[i] = 1, right[i] = values[kept[i]];
  }
  for (std::size_t i = 1; i < size; ++i) {
    const double factor = beside[i - 1] / diagonal[i - 1];
    diagonal[i] -= factor * beside[i - 1];
    right[i] -= factor * right[i - 1];
  }
  std::vector<double> fitted(size);
  for (std::size_t i = size; i-- > 0;) {
    const double next = i + 1 < size ? beside[i] * fitted[i + 1] : 0;
    fitted[i] = (right[i] - next) / diagonal[i];
  }
  return fitted;
}

}  // namespace softwood
