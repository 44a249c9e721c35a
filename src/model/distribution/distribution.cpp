#include "model/distribution/distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.h"
#include "model/distribution/cdf_integral.h"

namespace softwood {
namespace {

/// Fixed, so that no result depends on the number of threads.
constexpr std::size_t kRowsPerBlock = 256;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
/// Tail left out of a score (it enters squared) and of a moment.
constexpr double kScoreTail = 1e-9;
constexpr double kMomentTail = 1e-13;

double crps_integrand(double cdf, double distance) {
  return distance < 0 ? cdf * cdf : (1 - cdf) * (1 - cdf);
}
/// E(Y − c) = ∫ above c (1 − F) − ∫ below c F.
double mean_integrand(double cdf, double distance) {
  return distance < 0 ? -cdf : 1 - cdf;
}
/// E(Y − c)² = ∫ 2 |z − c| (1 − F above c, F below).
double square_integrand(double cdf, double distance) {
  return 2 * (distance < 0 ? -distance * cdf : distance * (1 - cdf));
}

/// In (0, 1): never an end.
double open_uniform(std::uint64_t bits) {
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1.0p-52;
}

std::vector<double> stated(const Task& task, const TaskPredictions& predictions,
                           std::string_view name) {
  const MatrixView<const double> values = predictions.find(task.program, name);
  if (values.rows != 1) return {};
  return {values.row(0).begin(), values.row(0).end()};
}

/// A search begins at the median, else the mean, else 0.
std::vector<SearchStart> find_whereabouts(const Task& task, const TaskPredictions& predictions) {
  std::vector<SearchStart> found(predictions.num_rows);
  std::vector<double> centre = stated(task, predictions, "median");
  if (centre.empty()) centre = stated(task, predictions, "mean");
  const std::vector<double> variance = stated(task, predictions, "variance");
  for (std::size_t row = 0; row < found.size(); ++row) {
    SearchStart& own = found[row];
    if (!centre.empty() && std::isfinite(centre[row])) own.centre = centre[row];
    const double spread = variance.empty() ? 0 : std::sqrt(variance[row]);
    own.spread = own.centre == 0 ? 1 : std::abs(own.centre);
    if (std::isfinite(spread) && spread > 0) own.spread = spread;
  }
  return found;
}

}  // namespace

Distribution::Distribution(const Task& task, const LossData& data, const MemberOutputs& outputs,
                           std::size_t num_rows, ThreadTeam& team)
    : task_(task),
      data_(data),
      outputs_(outputs),
      team_(team),
      cdf_(task, data, outputs, num_rows),
      rows_(num_rows),
      whereabouts_(find_whereabouts(task, predict_task(task, data, outputs, num_rows))) {
  std::iota(rows_.begin(), rows_.end(), 0U);
}

void Distribution::for_blocks(const std::function<void(Rows)>& work) const {
  const std::size_t num_blocks = (num_rows() + kRowsPerBlock - 1) / kRowsPerBlock;
  team_.for_each(num_blocks, [&](std::size_t block) {
    const std::size_t first = block * kRowsPerBlock;
    work(Rows(rows_).subspan(first, std::min(kRowsPerBlock, num_rows() - first)));
  });
}

std::vector<double> Distribution::cdf(std::span<const double> q) const {
  std::vector<double> out(num_rows());
  for_blocks([&](Rows rows) {
    cdf_.at(rows, q.subspan(rows[0], rows.size()), {out.data() + rows[0], rows.size()});
  });
  return out;
}

std::vector<double> Distribution::below(std::span<const double> q) const {
  std::vector<double> before;
  for (const double point : q) {
    before.push_back(is_discrete()
                         ? std::ceil(point) - 1
                         : std::nextafter(point, -std::numeric_limits<double>::infinity()));
  }
  return cdf(before);
}

std::vector<double> Distribution::above(double c) const {
  std::vector<double> out = cdf(std::vector<double>(num_rows(), c));
  for (double& value : out) value = 1 - value;
  return out;
}

std::vector<double> Distribution::quantile(double p) const {
  return quantile(std::vector<double>(num_rows(), p));
}

std::vector<double> Distribution::quantile(std::span<const double> p) const {
  std::vector<double> out(num_rows());
  for_blocks([&](Rows rows) {
    find_quantiles(cdf_, rows, p.subspan(rows[0], rows.size()), whereabouts_,
                   {out.data() + rows[0], rows.size()});
  });
  return out;
}

std::vector<double> Distribution::sample(std::uint64_t seed, std::string_view purpose,
                                         std::uint64_t draw, std::uint64_t first_row) const {
  std::vector<double> p(num_rows());
  for (const std::uint32_t row : rows_)
    p[row] = open_uniform(RandomStream(seed, purpose, first_row + row).bits(draw));
  return quantile(p);
}

Moments Distribution::moments() const {
  Moments moments = stated_moments();
  if (!moments.mean.empty() && !moments.variance.empty()) return moments;
  Moments computed = moments_from_cdf();
  if (moments.mean.empty()) moments.mean = std::move(computed.mean);
  moments.variance = std::move(computed.variance);
  return moments;
}

/// Empty where the loss does not say. A mixture's variance: the mean of the variances, and how far
/// the means are apart.
Moments Distribution::stated_moments() const {
  Moments joined;
  std::vector<double> squares(num_rows(), 0.0);  // of the members' distances from the mean
  const auto num_members = static_cast<double>(outputs_.size());
  const TaskPredictions average = predict_task(task_, data_, outputs_, num_rows());
  joined.mean = stated(task_, average, "mean");
  joined.variance = stated(task_, average, "variance");
  if (joined.mean.empty() || joined.variance.empty()) return {.mean = joined.mean, .variance = {}};
  if (outputs_.size() == 1) return joined;
  for (const std::vector<double>& outputs : outputs_) {
    const std::vector<double> own =
        stated(task_, predict_task(task_, data_, {outputs}, num_rows()), "mean");
    for (const std::uint32_t row : rows_)
      squares[row] += (own[row] - joined.mean[row]) * (own[row] - joined.mean[row]);
  }
  for (const std::uint32_t row : rows_) joined.variance[row] += squares[row] / num_members;
  return joined;
}

Moments Distribution::moments_from_cdf() const {
  const std::vector<double> low = quantile(kMomentTail), middle = quantile(0.5),
                            high = quantile(1 - kMomentTail);
  Moments moments{std::vector<double>(num_rows()), std::vector<double>(num_rows())};
  for_blocks([&](Rows rows) {
    std::vector<CdfRange> ranges;
    for (const std::uint32_t row : rows)
      ranges.push_back({row, low[row], high[row], middle[row], middle[row]});
    const std::span<double> mean(moments.mean.data() + rows[0], rows.size());
    const std::span<double> variance(moments.variance.data() + rows[0], rows.size());
    integrate_cdf(cdf_, ranges, mean_integrand, mean);
    integrate_cdf(cdf_, ranges, square_integrand, variance);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      variance[i] = std::max(variance[i] - mean[i] * mean[i], 0.0);
      mean[i] += middle[rows[i]];
    }
  });
  return moments;
}

PitIntervals Distribution::pit(std::span<const double> y, const std::vector<bool>& censored) const {
  PitIntervals intervals{.low = below(y), .high = cdf(y)};
  for (const std::uint32_t row : rows_) {
    if (std::isnan(y[row])) {
      intervals.low[row] = intervals.high[row] = kMissing;
    } else if (!censored.empty() && censored[row]) {
      intervals.low[row] = std::exchange(intervals.high[row], 1.0);
    }
  }
  return intervals;
}

std::vector<double> Distribution::crps(std::span<const double> y,
                                       const std::vector<bool>& censored) const {
  std::vector<double> p(num_rows());  // NaN, and so no search, where there is nothing to score
  const auto tails_at = [&](double level) {
    for (const std::uint32_t row : rows_) p[row] = std::isnan(y[row]) ? kMissing : level;
    return quantile(p);
  };
  const std::vector<double> low = tails_at(kScoreTail), high = tails_at(1 - kScoreTail);
  std::vector<double> scores(num_rows());
  for_blocks([&](Rows rows) {
    std::vector<CdfRange> ranges;
    for (const std::uint32_t row : rows) {
      CdfRange& range = ranges.emplace_back(
          CdfRange{row, std::min(low[row], y[row]), high[row], y[row], whereabouts_[row].centre});
      const bool known = censored.empty() || !censored[row];
      range.high = known ? std::max(high[row], y[row]) : y[row];
      if (std::isnan(y[row]) || std::isnan(high[row])) range.high = kMissing;
    }
    integrate_cdf(cdf_, ranges, crps_integrand, {scores.data() + rows[0], rows.size()});
  });
  return scores;
}

}  // namespace softwood
