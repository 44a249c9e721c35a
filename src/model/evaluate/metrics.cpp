#include "model/evaluate/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace softwood {
namespace {

constexpr std::size_t kCalibrationBins = 10;

template <class Term>
double mean_over_rows(std::size_t num_rows, Term&& term) {
  double sum = 0;
  for (std::size_t row = 0; row < num_rows; ++row) sum += term(row);
  return sum / static_cast<double>(num_rows);
}

std::vector<std::size_t> order_by(std::span<const double> score) {
  std::vector<std::size_t> order(score.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return score[a] < score[b]; });
  return order;
}

}  // namespace

double root_mean_square_error(std::span<const double> y, std::span<const double> predicted) {
  return std::sqrt(mean_over_rows(y.size(), [&](std::size_t row) {
    return (y[row] - predicted[row]) * (y[row] - predicted[row]);
  }));
}

double mean_absolute_error(std::span<const double> y, std::span<const double> predicted) {
  return mean_over_rows(y.size(),
                        [&](std::size_t row) { return std::abs(y[row] - predicted[row]); });
}

double r_squared(std::span<const double> y, std::span<const double> predicted) {
  const double mean = mean_over_rows(y.size(), [&](std::size_t row) { return y[row]; });
  const double total =
      mean_over_rows(y.size(), [&](std::size_t row) { return (y[row] - mean) * (y[row] - mean); });
  const double rmse = root_mean_square_error(y, predicted);
  return total > 0 ? 1 - rmse * rmse / total : std::numeric_limits<double>::quiet_NaN();
}

double ratio_of_means(std::span<const double> y, std::span<const double> predicted) {
  return std::accumulate(predicted.begin(), predicted.end(), 0.0) /
         std::accumulate(y.begin(), y.end(), 0.0);
}

double difference_of_means(std::span<const double> y, std::span<const double> predicted) {
  return mean_over_rows(y.size(), [&](std::size_t row) { return predicted[row] - y[row]; });
}

double poisson_deviance(std::span<const double> y, std::span<const double> predicted) {
  return mean_over_rows(y.size(), [&](std::size_t row) {
    const double entropy = y[row] > 0 ? y[row] * std::log(y[row] / predicted[row]) : 0;
    return 2 * (entropy - y[row] + predicted[row]);
  });
}

double log_loss(std::span<const std::uint32_t> classes, MatrixView<const double> probabilities) {
  return mean_over_rows(classes.size(), [&](std::size_t row) {
    return -std::log(
        std::max(probabilities(classes[row], row), std::numeric_limits<double>::min()));
  });
}

std::vector<std::uint32_t> likeliest_classes(MatrixView<const double> probabilities) {
  std::vector<std::uint32_t> likeliest(probabilities.cols, 0);
  for (std::uint32_t label = 1; label < probabilities.rows; ++label) {
    for (std::size_t row = 0; row < probabilities.cols; ++row) {
      if (probabilities(label, row) > probabilities(likeliest[row], row)) likeliest[row] = label;
    }
  }
  return likeliest;
}

double accuracy(std::span<const std::uint32_t> classes, MatrixView<const double> probabilities) {
  const std::vector<std::uint32_t> likeliest = likeliest_classes(probabilities);
  return mean_over_rows(
      classes.size(), [&](std::size_t row) { return likeliest[row] == classes[row] ? 1.0 : 0.0; });
}

double area_under_curve(std::span<const char> positive, std::span<const double> score) {
  const std::vector<std::size_t> order = order_by(score);
  double rank_sum = 0;  // of the positive rows; tied scores share their mean rank
  double num_positive = 0;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    double positive_here = 0;
    for (; end < order.size() && score[order[end]] == score[order[begin]]; ++end) {
      positive_here += positive[order[end]] != 0 ? 1 : 0;
    }
    rank_sum += positive_here * (static_cast<double>(begin + end) + 1) / 2;
    num_positive += positive_here;
    begin = std::max(end, begin + 1);  // a NaN score equals nothing, not even itself
  }
  const double num_negative = static_cast<double>(score.size()) - num_positive;
  if (num_positive == 0 || num_negative == 0) return std::numeric_limits<double>::quiet_NaN();
  return (rank_sum - num_positive * (num_positive + 1) / 2) / (num_positive * num_negative);
}

namespace {

/// How many of the ranks seen so far are below a rank (Fenwick 1994).
class RankCounts {
 public:
  explicit RankCounts(std::size_t num_ranks) : sums_(num_ranks + 1, 0) {}
  void add(std::size_t rank) {
    ++total_;
    for (std::size_t at = rank + 1; at < sums_.size(); at += at & (~at + 1)) ++sums_[at];
  }
  double below(std::size_t rank) const {
    std::size_t count = 0;
    for (std::size_t at = rank; at > 0; at -= at & (~at + 1)) count += sums_[at];
    return static_cast<double>(count);
  }
  double total() const { return static_cast<double>(total_); }

 private:
  std::vector<std::size_t> sums_;
  std::size_t total_ = 0;
};

/// Equal values have equal ranks.
std::vector<std::size_t> ranks_of(std::span<const double> values) {
  const std::vector<std::size_t> order = order_by(values);
  std::vector<std::size_t> ranks(values.size(), 0);
  for (std::size_t i = 1; i < order.size(); ++i) {
    const bool equal = values[order[i]] == values[order[i - 1]];
    ranks[order[i]] = equal ? ranks[order[i - 1]] : i;
  }
  return ranks;
}

}  // namespace

double concordance(std::span<const double> y, std::span<const char> censored,
                   std::span<const double> predicted) {
  const std::vector<std::size_t> order = order_by(y), ranks = ranks_of(predicted);
  RankCounts longer(y.size());  // predictions of those that are known to last longer
  double agree = 0, pairs = 0;
  for (std::size_t end = order.size(); end > 0;) {
    std::size_t begin = end - 1;
    while (begin > 0 && y[order[begin - 1]] == y[order[end - 1]]) --begin;
    const std::span<const std::size_t> tied(order.data() + begin, end - begin);
    for (const std::size_t row : tied) {
      if (censored[row] != 0) longer.add(ranks[row]);
    }
    for (const std::size_t row : tied) {
      if (censored[row] != 0) continue;
      const double below = longer.below(ranks[row]), up_to = longer.below(ranks[row] + 1);
      agree += longer.total() - up_to + (up_to - below) / 2;
      pairs += longer.total();
    }
    for (const std::size_t row : tied) {
      if (censored[row] == 0) longer.add(ranks[row]);
    }
    end = begin;
  }
  return pairs > 0 ? agree / pairs : std::numeric_limits<double>::quiet_NaN();
}

std::vector<Evaluation::CalibrationBin> calibration(std::span<const double> y,
                                                    std::span<const double> predicted) {
  const std::vector<std::size_t> order = order_by(predicted);
  std::vector<Evaluation::CalibrationBin> bins;
  std::size_t begin = 0;
  for (std::size_t bin = 0; bin < kCalibrationBins && begin < order.size(); ++bin) {
    std::size_t end = std::max(begin + 1, order.size() * (bin + 1) / kCalibrationBins);
    while (end < order.size() && predicted[order[end]] == predicted[order[end - 1]]) ++end;
    Evaluation::CalibrationBin& filled = bins.emplace_back();
    for (std::size_t at = begin; at < end; ++at) {
      filled.predicted += predicted[order[at]];
      filled.observed += y[order[at]];
    }
    filled.num_rows = end - begin;
    filled.predicted /= static_cast<double>(filled.num_rows);
    filled.observed /= static_cast<double>(filled.num_rows);
    begin = end;
  }
  return bins;
}

}  // namespace softwood
