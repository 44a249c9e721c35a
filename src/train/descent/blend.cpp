#include "train/descent/blend.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace softwood {
namespace {

constexpr int kMaxSteps = 30;
constexpr int kSweeps = 1000;         // over a handful of weights
constexpr double kDifference = 1e-4;  // of a weight, for curvatures
constexpr double kEnough = 1e-9;      // relative gain at which the search ends

/// How hard a sum above 1 is pulled back: as much as so many rows that nothing is known of yet.
constexpr double kPullOfSum = 10;

using Weights = std::vector<double>;

/// The mean loss of one task as a function of the groups' weights.
class BlendLoss {
 public:
  BlendLoss(const Task& task, const Responses& responses, std::span<const double> row_weights,
            const std::vector<std::span<const double>>& scores, const BlendPrior& prior)
      : task_(task),
        responses_(responses),
        row_weights_(row_weights),
        scores_(scores),
        usual_(usual_weights(prior, scores.size())),
        most_for_nothing_(
            std::max(1.0, std::accumulate(prior.usual.begin(), prior.usual.end(), 0.0))),
        num_rows_(responses.y.size()),
        f_(task.num_outputs() * num_rows_),
        gradient_(f_.size()),
        losses_(num_rows_) {
    for (std::size_t row = 0; row < num_rows_; ++row) total_ += row_weight(row);
    if (total_ > 0) pull_ = prior.rows * unexplained() / total_;
    if (total_ > 0 && prior.is_wary) pull_of_sum_ = kPullOfSum * task.units.loss_scale / total_;
  }

  /// Weight of the rows with a response.
  double total() const { return total_; }

  /// The loss; `slope` gets its derivatives.
  double operator()(const Weights& weights, Weights& slope) {
    mix(weights);
    const MatrixView<double> gradient(gradient_.data(), task_.num_outputs(), num_rows_);
    task_.program.value_and_gradient(responses_.view(), {f_.data(), task_.num_outputs(), num_rows_},
                                     losses_, gradient);
    double loss = 0;
    for (std::size_t row = 0; row < num_rows_; ++row) {
      if (row_weight(row) > 0) loss += row_weight(row) * losses_[row];
    }
    slope.assign(weights.size(), 0.0);
    const double too_much =
        std::max(0.0, std::accumulate(weights.begin(), weights.end(), 0.0) - most_for_nothing_);
    double penalty = pull_of_sum_ * too_much * too_much;
    for (std::size_t group = 0; group < weights.size(); ++group) {
      const double off = weights[group] - usual_[group];
      slope[group] = slope_of(group) + 2 * pull_ * off + 2 * pull_of_sum_ * too_much;
      penalty += pull_ * off * off;
    }
    return loss / total_ + penalty;
  }

 private:
  /// The loss's scale, as far as the usual weights leave it: gradients start with that root mean
  /// square, and what is left of their squares tells noise from signal. (For squared error it is
  /// twice the mean square of what is left.)
  double unexplained() {
    Weights slope;
    (*this)(usual_, slope);
    double squares = 0;
    for (std::size_t output = 0; output < task_.num_outputs(); ++output) {
      const double unit = task_.units.unit[output];
      for (std::size_t row = 0; row < num_rows_; ++row) {
        const double gradient = unit * gradient_[output * num_rows_ + row];
        if (row_weight(row) > 0) squares += row_weight(row) * gradient * gradient;
      }
    }
    const double scale = task_.units.loss_scale;
    const double mean = squares / (total_ * static_cast<double>(task_.num_outputs()));
    return std::min(scale, mean / scale);
  }
  double row_weight(std::size_t row) const {
    if (std::isnan(responses_.y[row])) return 0;
    return row_weights_.empty() ? 1 : row_weights_[row];
  }
  const double* score(std::size_t group, std::size_t output) const {
    return scores_[group].data() + output * num_rows_;
  }
  void mix(const Weights& weights) {
    for (std::size_t output = 0; output < task_.num_outputs(); ++output) {
      double* const f = f_.data() + output * num_rows_;
      std::fill_n(f, num_rows_, task_.units.offset[output]);
      for (std::size_t group = 0; group < weights.size(); ++group) {
        const double factor = weights[group] * task_.units.unit[output];
        const double* const g = score(group, output);
        for (std::size_t row = 0; row < num_rows_; ++row) f[row] += factor * g[row];
      }
    }
  }
  double slope_of(std::size_t group) const {
    double slope = 0;
    for (std::size_t output = 0; output < task_.num_outputs(); ++output) {
      const double* const g = score(group, output);
      double sum = 0;
      for (std::size_t row = 0; row < num_rows_; ++row) {
        const double weight = row_weight(row);
        if (weight > 0) sum += weight * gradient_[output * num_rows_ + row] * g[row];
      }
      slope += sum * task_.units.unit[output];
    }
    return slope / total_;
  }

  const Task& task_;
  const Responses& responses_;
  std::span<const double> row_weights_;
  const std::vector<std::span<const double>>& scores_;
  const Weights usual_;
  const double most_for_nothing_;  // a sum that is usual costs nothing
  std::size_t num_rows_;
  std::vector<double> f_, gradient_, losses_;
  double total_ = 0;
  double pull_ = 0, pull_of_sum_ = 0;
};

/// Second derivatives [weights × weights], by differences of slopes.
std::vector<double> curvatures(BlendLoss& loss, const Weights& weights, const Weights& slope) {
  const std::size_t n = weights.size();
  std::vector<double> curvature(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    Weights moved = weights, moved_slope;
    moved[i] += kDifference;
    loss(moved, moved_slope);
    for (std::size_t j = 0; j < n; ++j) {
      curvature[i * n + j] = (moved_slope[j] - slope[j]) / kDifference;
    }
  }
  return curvature;
}

/// Newton's step within the weights of zero or more: to the least of the quadratic that has this
/// slope and curvature here, weight by weight. Where the loss is not convex, straight down. No
/// weight moves by more than 1: a loss of corners has next to no curvature of its own.
Weights newton_target(BlendLoss& loss, const Weights& weights, const Weights& slope) {
  const std::size_t n = weights.size();
  const std::vector<double> curvature = curvatures(loss, weights, slope);
  Weights target = weights;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t i = 0; i < n; ++i) {
      double rise = slope[i];
      for (std::size_t j = 0; j < n; ++j) rise += curvature[i * n + j] * (target[j] - weights[j]);
      const double bend = curvature[i * n + i];
      const double wish = target[i] - (bend > 0 ? rise / bend : sweep == 0 ? rise : 0.0);
      target[i] = std::clamp(wish, std::max(0.0, weights[i] - 1), weights[i] + 1);
    }
  }
  return target;
}

Weights between(const Weights& from, const Weights& to, double share) {
  Weights weights = from;
  for (std::size_t i = 0; i < from.size(); ++i) weights[i] += share * (to[i] - from[i]);
  return share == 1 ? to : weights;
}

}  // namespace

std::vector<double> usual_weights(const BlendPrior& prior, std::size_t num_groups) {
  if (!prior.usual.empty()) return prior.usual;
  return std::vector<double>(num_groups, 1 / static_cast<double>(num_groups));
}

std::vector<double> find_blend(const Task& task, const Responses& responses,
                               std::span<const double> row_weights,
                               const std::vector<std::span<const double>>& scores,
                               const BlendPrior& prior) {
  Weights weights = usual_weights(prior, scores.size());
  BlendLoss loss(task, responses, row_weights, scores, prior);
  if (!(loss.total() > 0)) return weights;
  Weights slope;
  double best = loss(weights, slope);
  for (int step = 0; step < kMaxSteps; ++step) {
    const Weights target = newton_target(loss, weights, slope);
    const double before = best;
    for (double length = 1; length > 1e-6; length /= 2) {
      Weights moved_slope;
      const Weights moved = between(weights, target, length);
      const double value = loss(moved, moved_slope);
      if (!(value < best)) continue;
      weights = moved;
      slope = moved_slope;
      best = value;
      break;
    }
    if (!(before - best > kEnough * std::abs(before))) break;
  }
  return weights;
}

}  // namespace softwood
