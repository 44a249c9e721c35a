#include "model/distribution/quantile_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace softwood {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// So close to 0 that only its sign matters.
constexpr double kNearZero = 1e-300;
constexpr double kTolerance = 0x1.0p-44;
/// A bracket as narrow as the tolerance whose ends differ by more holds an atom.
constexpr double kAtom = 1e-7;
/// Ends further apart than this are looked at on a logarithmic scale.
constexpr double kFarApart = 4;
constexpr int kSlowWidenings = 16;
constexpr int kMaxSteps = 2000;

double logit(double p) {
  return std::log(p / (1 - p));
}

bool far_apart(double low, double high) {
  return low > 0 ? high > kFarApart * low : high < 0 && low < kFarApart * high;
}

/// Of a bracket without 0 inside.
double width(double low, double high) {
  return far_apart(low, high) ? std::abs(std::log(high / low)) : high - low;
}

/// One row's search: says which point it wants to know, is told the cdf there, until done. First it
/// steps outwards, ever further, until the quantile lies between two points; then it narrows the
/// bracket by regula falsi (Anderson and Björck's) on the logit of the cdf, which is nearly
/// straight where the cdf itself bends most, and by halving where that is slow.
class Search {
 public:
  Search(double p, const SearchStart& start, bool whole) : p_(p), target_(logit(p)), whole_(whole) {
    step_ = whole ? std::max(1.0, std::round(start.spread / 2)) : start.spread / 2;
    // sd · 0.55 logit(p) is close to a normal quantile.
    point_ = start.centre + 0.55 * start.spread * std::clamp(target_, -20.0, 20.0);
    if (whole) point_ = std::floor(point_);
    if (!std::isfinite(point_)) point_ = 0;
  }

  double point() const { return point_; }
  double result() const { return result_; }

  /// True: it is done.
  bool learn(double cdf) {
    if (std::isnan(cdf) || ++steps_ > kMaxSteps) return true;
    const bool was_bracketed = is_bracketed();
    const double old_width = was_bracketed ? width(low_, high_) : 0;
    take(cdf);
    if (!is_bracketed()) return !widen();
    if (is_narrow()) {
      result_ = high_;
      return true;
    }
    if (was_bracketed) slow_ = width(low_, high_) > old_width / 2 ? slow_ + 1 : 0;
    choose_point();
    return false;
  }

 private:
  bool is_bracketed() const { return low_ > -kInfinity && high_ < kInfinity; }

  void take(double cdf) {
    const double gap = logit(cdf) - target_;  // infinite where the cdf is 0 or 1
    const bool is_high = cdf >= p_;
    double& own = is_high ? high_gap_ : low_gap_;
    double& other = is_high ? low_gap_ : high_gap_;
    if (is_high == last_was_high_ && std::isfinite(own)) {
      // The same side moved twice: the other's gap counts for less.
      const double factor = 1 - gap / own;
      other *= factor > 0 ? factor : 0.5;
    }
    own = gap;
    last_was_high_ = is_high;
    (is_high ? high_ : low_) = point_;
    (is_high ? high_cdf_ : low_cdf_) = cdf;
  }

  /// False: there is nowhere left to go.
  bool widen() {
    const bool upwards = high_ == kInfinity;
    const double from = upwards ? low_ : high_;
    point_ = upwards ? from + step_ : from - step_;
    if (point_ == from) point_ = std::nextafter(from, upwards ? kInfinity : -kInfinity);
    step_ *= steps_ < kSlowWidenings ? 2 : 16;
    return std::isfinite(point_);
  }

  bool is_narrow() const {
    if (std::nextafter(low_, high_) >= high_) return true;
    if (whole_) return high_ - low_ <= 1;
    return high_ - low_ <= kTolerance * std::abs(high_) && high_cdf_ - low_cdf_ <= kAtom;
  }

  void choose_point() {
    if (low_ < 0 && high_ > 0) {
      point_ = 0;  // where supports begin and atoms sit
    } else if (high_ == 0 && !whole_) {
      point_ = -std::numeric_limits<double>::denorm_min();  // is there an atom?
    } else if (slow_ >= 2 || !std::isfinite(low_gap_) || !std::isfinite(high_gap_)) {
      slow_ = 0;
      point_ = inside(middle());
    } else {
      point_ = inside(crossing());
    }
  }

  double middle() {
    // Next to 0 the exponent doubles with every step: 1e-300 is ten steps away.
    if (low_ >= 0 && low_ < kNearZero) return std::ldexp(high_, -next_shrink());
    if (high_ <= 0 && high_ > -kNearZero) return std::ldexp(low_, -next_shrink());
    if (far_apart(low_, high_))
      return std::copysign(std::sqrt(std::abs(low_)) * std::sqrt(std::abs(high_)), high_);
    return low_ + (high_ - low_) / 2;
  }

  int next_shrink() { return shrink_ = std::min(2 * shrink_, 1024); }

  double crossing() const {
    const double share = low_gap_ / (low_gap_ - high_gap_);
    if (far_apart(low_, high_)) return low_ * std::exp(share * std::log(high_ / low_));
    return low_ + share * (high_ - low_);
  }

  /// At least half a tolerance away from both ends, so that the bracket closes from both sides.
  double inside(double point) const {
    const double margin = whole_ ? 1 : kTolerance / 2 * std::abs(point);
    if (whole_) point = std::floor(point);
    point = std::min(std::max(point, low_ + margin), high_ - margin);
    if (point > low_ && point < high_) return point;
    const double half = low_ + (high_ - low_) / 2;
    return whole_ ? std::floor(half) : half;
  }

  double p_, target_;
  bool whole_;
  double point_ = 0, step_ = 1;
  double low_ = -kInfinity, high_ = kInfinity;  // cdf(low) < p <= cdf(high)
  double low_cdf_ = 0, high_cdf_ = 1;
  double low_gap_ = -kInfinity, high_gap_ = kInfinity;
  bool last_was_high_ = false;
  int slow_ = 0, steps_ = 0, shrink_ = 1;
  double result_ = kMissing;
};

}  // namespace

void find_quantiles(const MixtureCdf& cdf, std::span<const std::uint32_t> rows,
                    std::span<const double> p, std::span<const SearchStart> start,
                    std::span<double> out) {
  std::fill(out.begin(), out.end(), kMissing);
  std::vector<Search> searches;
  std::vector<std::uint32_t> active_rows;
  std::vector<std::size_t> places;  // of each active search in `out`
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!(p[i] > 0 && p[i] < 1)) continue;
    searches.emplace_back(p[i], start[rows[i]], cdf.is_discrete());
    active_rows.push_back(rows[i]);
    places.push_back(i);
  }
  std::vector<double> points(searches.size()), values(searches.size());
  for (std::size_t active = searches.size(); active > 0;) {
    for (std::size_t i = 0; i < active; ++i) points[i] = searches[i].point();
    cdf.at({active_rows.data(), active}, {points.data(), active}, {values.data(), active});
    std::size_t left = 0;  // rows that are done drop out
    for (std::size_t i = 0; i < active; ++i) {
      if (searches[i].learn(values[i])) {
        out[places[i]] = searches[i].result();
        continue;
      }
      searches[left] = searches[i];
      active_rows[left] = active_rows[i];
      places[left++] = places[i];
    }
    active = left;
  }
}

}  // namespace softwood
