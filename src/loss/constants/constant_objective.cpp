#include "loss/constants/constant_objective.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace softwood::loss {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t kBlock = 1024;  // rows whose outputs, losses and gradients stay in the cache
constexpr double kPull = 1e-6;        // of the gradients at the origin
constexpr double kLeastSize = 1e-9;   // of an output's gradients beside the largest
/// How far an output that is no location may go: as a logarithm or logit, exp(30) = 1e13.
constexpr double kBound = 30;
/// An origin beyond it was chosen for the response's scale, and distances count from there.
constexpr double kFar = 15;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// Constant outputs for blocks of rows.
class Blocks {
 public:
  Blocks(const LossProgram& program, const WeightedRows& rows, const Vector& f)
      : program_(program),
        rows_(rows),
        data_(rows.data()),
        stride_(std::min(kBlock, rows.size())),
        constants_(f.size() * stride_),
        losses_(stride_) {
    for (std::size_t k = 0; k < f.size(); ++k)
      std::fill_n(constants_.begin() + static_cast<std::ptrdiff_t>(k * stride_), stride_, f[k]);
  }

  double mean_loss() {
    double mean = 0;
    for_each([&](std::size_t first, std::size_t length, MatrixView<const double> f) {
      const std::span<double> losses(losses_.data(), length);
      program_.value(data_.slice(first, length), f, losses);
      for (std::size_t i = 0; i < length; ++i) mean += rows_.share(first + i) * losses[i];
    });
    return mean;
  }

  /// use(first row, losses, gradients [outputs × block]).
  template <class Use>
  void for_gradients(const Use& use) {
    slopes_.resize(constants_.size());
    for_each([&](std::size_t first, std::size_t length, MatrixView<const double> f) {
      const MatrixView<double> gradient(slopes_.data(), f.rows, length, stride_);
      const std::span<double> losses(losses_.data(), length);
      program_.value_and_gradient(data_.slice(first, length), f, losses, gradient);
      use(first, std::span<const double>(losses), MatrixView<const double>(gradient));
    });
  }

 private:
  template <class Use>
  void for_each(const Use& use) {
    const std::size_t num_outputs = stride_ == 0 ? 0 : constants_.size() / stride_;
    for (std::size_t first = 0; first < rows_.size(); first += kBlock) {
      const std::size_t length = std::min(kBlock, rows_.size() - first);
      use(first, length, MatrixView<const double>(constants_.data(), num_outputs, length, stride_));
    }
  }

  const LossProgram& program_;
  const WeightedRows& rows_;
  LossData data_;
  std::size_t stride_;
  Vector constants_, losses_, slopes_;
};

/// A root mean square that neither overflows nor vanishes: squares are of shares of the largest.
struct RootMeanSquare {
  double largest = 0, sum = 0;

  void add(double share, double value) {
    const double size = std::abs(value);
    if (size > largest) {
      sum *= (largest / size) * (largest / size);
      largest = size;
    }
    if (largest > 0) sum += share * (size / largest) * (size / largest);
  }
  double value() const { return largest * std::sqrt(sum); }
};

}  // namespace

bool MeanLoss::is_finite() const {
  return std::isfinite(loss) && std::all_of(gradient.begin(), gradient.end(),
                                            [](double slope) { return std::isfinite(slope); });
}

MeanLoss mean_loss_at(const LossProgram& program, const WeightedRows& rows, const Vector& f) {
  MeanLoss at{0, Vector(f.size(), 0)};
  Blocks(program, rows, f)
      .for_gradients([&](std::size_t first, std::span<const double> losses,
                         MatrixView<const double> gradient) {
        for (std::size_t i = 0; i < losses.size(); ++i)
          at.loss += rows.share(first + i) * losses[i];
        for (std::size_t k = 0; k < f.size(); ++k) {
          const std::span<const double> slopes = gradient.row(k);
          for (std::size_t i = 0; i < losses.size(); ++i)
            at.gradient[k] += rows.share(first + i) * slopes[i];
        }
      });
  return at;
}

Vector rms_gradients(const LossProgram& program, const WeightedRows& rows, const Vector& f) {
  std::vector<RootMeanSquare> sums(f.size());
  Blocks(program, rows, f)
      .for_gradients([&](std::size_t first, std::span<const double> losses,
                         MatrixView<const double> gradient) {
        for (std::size_t k = 0; k < f.size(); ++k) {
          const std::span<const double> slopes = gradient.row(k);
          for (std::size_t i = 0; i < losses.size(); ++i)
            sums[k].add(rows.share(first + i), slopes[i]);
        }
      });
  Vector result;
  for (const RootMeanSquare& sum : sums) result.push_back(sum.value());
  return result;
}

double norm(const Vector& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

ConstantObjective::ConstantObjective(const LossProgram& program, const WeightedRows& rows,
                                     const ConstantFit& fit, Vector origin,
                                     const Checkpoint& checkpoint)
    : program_(program),
      rows_(&rows),
      fit_(fit),
      origin_(std::move(origin)),
      checkpoint_(checkpoint) {
  gradient_sizes_ = rms_gradients(program, rows, origin_);
  for (std::size_t k = 0; k < origin_.size(); ++k) gradient_sizes_[k] *= fit.scale[k];
  const double largest = *std::max_element(gradient_sizes_.begin(), gradient_sizes_.end());
  if (largest > 0 && std::isfinite(largest)) size_ = largest;
  for (std::size_t k = 0; k < origin_.size(); ++k) {
    if (!fit.is_location[k]) pull_ = std::max(pull_, kPull * gradient_sizes_[k] / size_);
  }
  for (double& size : gradient_sizes_) size = std::max(size / size_, kLeastSize);
}

ConstantObjective ConstantObjective::over(const WeightedRows& rows) const {
  ConstantObjective other = *this;
  other.rows_ = &rows;
  return other;
}

ConstantObjective ConstantObjective::without_pull() const {
  ConstantObjective other = *this;
  other.pull_ = 0;
  return other;
}

Vector ConstantObjective::outputs(const Vector& u) const {
  Vector f = origin_;
  for (std::size_t k = 0; k < f.size(); ++k) f[k] += fit_.scale[k] * u[k];
  return f;
}

double ConstantObjective::distance(const Vector& f, std::size_t k) const {
  if (fit_.is_location[k]) return 0;
  return std::abs(origin_[k]) > kFar ? f[k] - origin_[k] : f[k];
}

MeanLoss ConstantObjective::at(const Vector& u) const {
  if (checkpoint_) checkpoint_();
  const Vector f = outputs(u);
  MeanLoss result = mean_loss_at(program_, *rows_, f);
  result.loss /= size_;
  for (std::size_t k = 0; k < u.size(); ++k) {
    const double away = distance(f, k);
    result.loss += 0.5 * pull_ * away * away;
    result.gradient[k] *= fit_.scale[k] / size_;
    result.gradient[k] += pull_ * away * fit_.scale[k];
  }
  return result;
}

double ConstantObjective::loss(const Vector& u) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (checkpoint_) checkpoint_();
  if (!allows(u)) return kInfinity;
  const Vector f = outputs(u);
  double loss = Blocks(program_, *rows_, f).mean_loss() / size_;
  for (std::size_t k = 0; k < u.size(); ++k) loss += 0.5 * pull_ * distance(f, k) * distance(f, k);
  return std::isnan(loss) ? kInfinity : loss;
}

bool ConstantObjective::allows(const Vector& u) const {
  const Vector f = outputs(u);
  for (std::size_t k = 0; k < u.size(); ++k) {
    if (!std::isfinite(f[k]) || std::abs(distance(f, k)) > kBound) return false;
  }
  return true;
}

double ConstantObjective::resolution(std::size_t k) const {
  return kEpsilon * std::max(1.0, std::abs(origin_[k]) / fit_.scale[k]);
}

}  // namespace softwood::loss
