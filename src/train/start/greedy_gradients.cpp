#include "train/start/greedy_gradients.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace softwood {
namespace {

/// Of the central differences, in g.
constexpr double kStep = 1e-3;
constexpr double kWideStep = 4 * kStep;
/// A slope this steep may be a kink: gradients have root mean square 1.
constexpr double kSteep = 50;
/// Curvature below it is as good as none.
constexpr double kLeastMeanCurvature = 0.01;
/// Of the mean: what every row has at least.
constexpr double kLeastShareOfMean = 0.1;
/// Each takes two evaluations of all rows, and curvature changes slowly.
constexpr std::size_t kCurvaturesPerCall = 4;
/// Where one by one would take more gradients than this, curvatures are estimated together.
constexpr double kMostGradients = 5e7;
constexpr std::size_t kProbes = 4;

/// Across a kink the gradient jumps: the wider the step, the smaller its slope.
void drop_kinks(std::vector<double>& slopes, const std::vector<double>& wide_slopes) {
  for (std::size_t at = 0; at < slopes.size(); ++at) {
    if (std::abs(slopes[at]) < kSteep) continue;
    if (std::abs(wide_slopes[at]) < 0.5 * std::abs(slopes[at])) slopes[at] = 0;
  }
}

bool any_steep(const std::vector<double>& slopes) {
  return std::any_of(slopes.begin(), slopes.end(),
                     [](double slope) { return std::abs(slope) >= kSteep; });
}

double finite_or_zero(double value) {
  return std::isfinite(value) ? value : 0;
}

}  // namespace

GreedyGradients::GreedyGradients(const Tasks& tasks, const Examples& examples,
                                 std::span<const std::uint32_t> rows,
                                 const std::function<void()>& stop_check)
    : tasks_(tasks),
      num_rows_(rows.size()),
      stop_check_(stop_check),
      step_(tasks, examples, rows.size()) {
  for (const Task& task : tasks) {
    num_outputs_ += task.num_outputs();
    num_components_ = std::max(num_components_, task.num_outputs());
  }
  step_.load(rows);
  read_weights(examples, rows);
  for (auto* buffer : {&gradients_, &above_, &below_}) buffer->resize(num_outputs_ * num_rows_);
  for (auto* buffer : {&slopes_, &wide_slopes_, &curvatures_}) buffer->resize(gradients_.size());
  row_sums_.assign(num_rows_ * RowSums::width(num_outputs_), 0.0F);
}

void GreedyGradients::read_weights(const Examples& examples, std::span<const std::uint32_t> rows) {
  weights_.assign(num_outputs_ * num_rows_, 0);
  for (std::size_t index = 0; index < tasks_.size(); ++index) {
    const Task& task = tasks_[index];
    for (std::size_t output = 0; output < task.num_outputs(); ++output) {
      double* weights = weights_.data() + (task.first_output + output) * num_rows_;
      for (std::size_t row = 0; row < num_rows_; ++row) {
        if (std::isnan(examples.responses[task.index_in_model].y[rows[row]])) continue;
        weights[row] = task.weight * examples.weight(rows[row]);
      }
    }
  }
}

MatrixView<const float> GreedyGradients::evaluate(std::span<const double> g) {
  point_.assign(g.begin(), g.end());
  const auto components = static_cast<double>(num_components_);
  const bool many = components * static_cast<double>(gradients_.size()) > kMostGradients;
  if (many) estimate_curvatures(g);
  const std::size_t all = many ? 0 : num_components_;
  const std::size_t count = has_curvatures_ ? std::min(kCurvaturesPerCall, all) : all;
  for (std::size_t done = 0; done < count; ++done) {
    update_curvatures(g, next_component_);
    next_component_ = (next_component_ + 1) % num_components_;
  }
  has_curvatures_ = true;
  differentiate(gradients_);
  write_row_sums();
  return {row_sums_.data(), num_rows_, RowSums::width(num_outputs_)};
}

/// At point_.
void GreedyGradients::differentiate(std::vector<float>& gradients) {
  if (stop_check_) stop_check_();
  step_.evaluate({point_.data(), num_outputs_, num_rows_}, 0, num_rows_,
                 {gradients.data(), num_outputs_, num_rows_});
}

/// The curvatures of one output of every task.
void GreedyGradients::update_curvatures(std::span<const double> g, std::size_t component) {
  find_slopes(g, component, kStep, slopes_);
  if (any_steep(slopes_)) {
    find_slopes(g, component, kWideStep, wide_slopes_);
    drop_kinks(slopes_, wide_slopes_);
  }
  for (const Task& task : tasks_) {
    if (component < task.num_outputs()) set_curvatures(task.first_output + component);
  }
}

/// ∂gradient/∂g of one output of every task, for weight 1; 0 elsewhere.
void GreedyGradients::find_slopes(std::span<const double> g, std::size_t component, double step,
                                  std::vector<double>& slopes) {
  const auto shift = [&](double by) {
    for (const Task& task : tasks_) {
      if (component >= task.num_outputs()) continue;
      const std::size_t first = (task.first_output + component) * num_rows_;
      for (std::size_t at = first; at < first + num_rows_; ++at) point_[at] = g[at] + by;
    }
  };
  shift(step);
  differentiate(above_);
  shift(-step);
  differentiate(below_);
  shift(0);
  // LossStep's gradients are those of the mean over the rows.
  const double scale = static_cast<double>(num_rows_) / (2 * step);
  std::fill(slopes.begin(), slopes.end(), 0.0);
  for (const Task& task : tasks_) {
    if (component >= task.num_outputs()) continue;
    const std::size_t first = (task.first_output + component) * num_rows_;
    for (std::size_t at = first; at < first + num_rows_; ++at) {
      if (weights_[at] == 0) continue;
      const double change = static_cast<double>(above_[at]) - static_cast<double>(below_[at]);
      slopes[at] = finite_or_zero(change * scale / weights_[at]);
    }
  }
}

/// The Hessian's diagonal as the mean of v ∘ Hv over random signs v (Bekas, Kokiopoulou and Saad
/// 2007): what other outputs add averages out, and the work does not grow with their number.
void GreedyGradients::estimate_curvatures(std::span<const double> g) {
  directions_.resize(g.size());
  std::fill(slopes_.begin(), slopes_.end(), 0.0);
  for (std::size_t probe = 0; probe < kProbes; ++probe) probe_slopes(g, probe, kStep, slopes_);
  if (any_steep(slopes_)) {
    std::fill(wide_slopes_.begin(), wide_slopes_.end(), 0.0);
    for (std::size_t probe = 0; probe < kProbes; ++probe)
      probe_slopes(g, probe, kWideStep, wide_slopes_);
    drop_kinks(slopes_, wide_slopes_);
  }
  for (std::size_t output = 0; output < num_outputs_; ++output) set_curvatures(output);
}

/// Adds one probe's share.
void GreedyGradients::probe_slopes(std::span<const double> g, std::size_t probe, double step,
                                   std::vector<double>& slopes) {
  const RandomStream random(0, "curvature probe", probe);
  std::uint64_t word = 0;
  for (std::size_t at = 0; at < g.size(); ++at, word >>= 1) {
    if (at % 64 == 0) word = random.bits(at / 64);
    directions_[at] = (word & 1) == 0 ? 1.0F : -1.0F;
  }
  const auto shift = [&](double by) {
    for (std::size_t at = 0; at < g.size(); ++at)
      point_[at] = g[at] + by * static_cast<double>(directions_[at]);
  };
  shift(step);
  differentiate(above_);
  shift(-step);
  differentiate(below_);
  shift(0);
  const double scale = static_cast<double>(num_rows_) / (2 * step * static_cast<double>(kProbes));
  for (std::size_t at = 0; at < g.size(); ++at) {
    if (weights_[at] == 0) continue;
    const double change = static_cast<double>(directions_[at] * (above_[at] - below_[at]));
    slopes[at] += finite_or_zero(change * scale / weights_[at]);
  }
}

/// A loss without curvature gets 1; elsewhere no row falls far below the mean, or steps would be
/// large where the loss is flat and backwards where it is concave.
void GreedyGradients::set_curvatures(std::size_t output) {
  const std::size_t first = output * num_rows_;
  const std::size_t end = first + num_rows_;
  double sum = 0;
  double weight = 0;
  for (std::size_t at = first; at < end; ++at) {
    sum += weights_[at] * slopes_[at];
    weight += weights_[at];
  }
  const double mean = weight > 0 ? sum / weight : 0;
  const bool flat = mean < kLeastMeanCurvature;
  for (std::size_t at = first; at < end; ++at) {
    curvatures_[at] = weights_[at] * (flat ? 1 : std::max(slopes_[at], kLeastShareOfMean * mean));
  }
}

void GreedyGradients::write_row_sums() {
  const std::size_t width = RowSums::width(num_outputs_);
  const auto scale = static_cast<float>(num_rows_);
  for (std::size_t row = 0; row < num_rows_; ++row) {
    float* to = row_sums_.data() + row * width;
    to[RowSums::kCount] = 1;
    for (std::size_t output = 0; output < num_outputs_; ++output) {
      const float gradient = scale * gradients_[output * num_rows_ + row];
      to[RowSums::gradient(output)] = std::isfinite(gradient) ? gradient : 0;
      to[RowSums::curvature(output)] = static_cast<float>(curvatures_[output * num_rows_ + row]);
    }
  }
}

}  // namespace softwood
