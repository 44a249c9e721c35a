#include "train/finish/shift_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/conjugate_gradients.h"

namespace softwood {
namespace {

using Vector = std::vector<double>;

constexpr int kMaxSteps = 20;
constexpr int kMaxProducts = 16;      // of the Hessian with a vector, per step
constexpr double kTolerance = 0.01;   // of the gradient that a step is to leave
constexpr int kMaxHalvings = 20;      // of a step
constexpr double kDifference = 3e-3;  // of an output in its unit, for curvatures: beyond most kinks
constexpr double kLongestStep = 3;    // in the outputs' units: exponentials punish long ones,
constexpr double kGrowth = 8;         // unless they turn out well, one after the other
constexpr double kZero = 1e-9;        // of the gradients' root mean square

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Vector sum_of(const Vector& a, double factor, const Vector& b) {
  Vector sum = a;
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] += factor * b[i];
  return sum;
}

/// Mean loss as a function of a shift in the outputs' units, divided by the task's scale.
class ShiftLoss {
 public:
  struct At {
    double loss = 0;
    Vector gradient;
    Vector squares;  ///< mean squared gradients of single rows
    bool is_finite() const {
      return std::isfinite(loss) && std::all_of(gradient.begin(), gradient.end(),
                                                [](double slope) { return std::isfinite(slope); });
    }
  };

  ShiftLoss(const Task& task, std::span<const ScoredRows> parts, const std::vector<bool>& free,
            ThreadTeam& team)
      : task_(task), parts_(parts), free_(free), team_(team), blocks_(blocks_of(parts)) {}

  /// RowBlocks are added in their order, whoever computed them.
  At operator()(const Vector& shift) const {
    std::vector<At> sums(blocks_.size());
    std::vector<double> weights(blocks_.size());
    team_.for_each(blocks_.size(), [&](std::size_t block) {
      sums[block] = add_up(blocks_[block], shift, weights[block]);
    });
    At at{0, Vector(shift.size(), 0.0), Vector(shift.size(), 0.0)};
    double total = 0;
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      total += weights[block];
      at.loss += sums[block].loss;
      at.gradient = sum_of(at.gradient, 1, sums[block].gradient);
      at.squares = sum_of(at.squares, 1, sums[block].squares);
    }
    at.loss /= total;
    for (double& slope : at.gradient) slope /= total;
    for (double& square : at.squares) square /= total;
    return at;
  }

 private:
  At add_up(const RowBlock& block, const Vector& shift, double& total) const {
    const ScoredRows& rows = parts_[block.part];
    const std::size_t count = shift.size();
    Vector in_units = shift;
    for (std::size_t k = 0; k < count; ++k) in_units[k] *= task_.units.unit[k];
    const Vector f = shifted(rows, block, in_units);
    Vector losses(block.length), slopes(f.size());
    task_.program.value_and_gradient(rows.responses.view().slice(block.first, block.length),
                                     {f.data(), count, block.length}, losses,
                                     {slopes.data(), count, block.length});
    At sum{0, Vector(count, 0.0), Vector(count, 0.0)};
    for (std::size_t i = 0; i < block.length; ++i) {
      const std::size_t row = block.first + i;
      const double weight = rows.weight(row);
      if (weight == 0) continue;
      total += weight;
      sum.loss += weight * losses[i] / task_.units.loss_scale;
      for (std::size_t k = 0; k < count; ++k) {
        if (!free_[k]) continue;
        const double slope =
            slopes[k * block.length + i] * task_.units.unit[k] / task_.units.loss_scale;
        sum.gradient[k] += weight * slope;
        sum.squares[k] += weight * slope * slope;
      }
    }
    return sum;
  }

  const Task& task_;
  std::span<const ScoredRows> parts_;
  const std::vector<bool>& free_;
  ThreadTeam& team_;
  std::vector<RowBlock> blocks_;
};

/// The Hessian times a direction, by a difference of gradients.
Vector bend_along(const ShiftLoss& loss, const Vector& shift, const ShiftLoss::At& at,
                  const Vector& direction) {
  const double length = std::sqrt(dot(direction, direction));
  const double step = kDifference / length;
  Vector bend = loss(sum_of(shift, step, direction)).gradient;
  for (std::size_t k = 0; k < bend.size(); ++k) bend[k] = (bend[k] - at.gradient[k]) / step;
  return bend;
}

/// Newton's step, each output measured by its rows' squared gradients, which are its curvature if
/// the loss is a likelihood. Where the loss does not bend upwards, downhill.
Vector newton_step(const ShiftLoss& loss, const Vector& shift, const ShiftLoss::At& at) {
  Vector downhill(shift.size());
  for (std::size_t k = 0; k < shift.size(); ++k) downhill[k] = -at.gradient[k];
  const ConjugateGradients newton{
      .product = [&](const Vector& direction) { return bend_along(loss, shift, at, direction); },
      .diagonal = at.squares,
      .tolerance = kTolerance,
      .max_products = std::min(kMaxProducts, static_cast<int>(shift.size()))};
  Vector step = newton.solve(downhill);
  if (!step.empty()) return step;
  for (std::size_t k = 0; k < shift.size(); ++k)
    downhill[k] = at.squares[k] > 0 ? downhill[k] / at.squares[k] : 0;
  return downhill;
}

bool is_zero(const ShiftLoss::At& at) {
  for (std::size_t k = 0; k < at.gradient.size(); ++k) {
    if (std::abs(at.gradient[k]) > kZero * std::sqrt(at.squares[k])) return false;
  }
  return true;
}

}  // namespace

std::vector<double> find_shift(const Task& task, std::span<const ScoredRows> parts,
                               const std::vector<bool>& free, ThreadTeam& team) {
  const ShiftLoss loss(task, parts, free, team);
  Vector shift(task.num_outputs(), 0.0);
  ShiftLoss::At at = loss(shift);
  bool better = at.is_finite();
  double longest = kLongestStep;
  for (int iteration = 0; iteration < kMaxSteps && better && !is_zero(at); ++iteration) {
    const Vector step = newton_step(loss, shift, at);
    double length = std::min(1.0, longest / std::sqrt(dot(step, step)));
    if (length < 1) longest *= kGrowth;
    better = false;
    for (int halving = 0; halving < kMaxHalvings && !better; ++halving, length /= 2) {
      Vector candidate = sum_of(shift, length, step);
      ShiftLoss::At there = loss(candidate);
      if (!there.is_finite() || !(there.loss < at.loss)) continue;
      shift = std::move(candidate);
      at = std::move(there);
      better = true;
    }
  }
  for (std::size_t k = 0; k < shift.size(); ++k) shift[k] *= task.units.unit[k];
  return shift;
}

double score_statistic(const Task& task, std::span<const ScoredRows> parts, ThreadTeam& team) {
  const std::vector<bool> all(task.num_outputs(), true);
  const ShiftLoss::At at = ShiftLoss(task, parts, all, team)(Vector(task.num_outputs(), 0.0));
  double num_rows = 0, statistic = 0;
  for (const ScoredRows& rows : parts) {
    for (std::size_t row = 0; row < rows.size(); ++row) num_rows += rows.weight(row) > 0 ? 1 : 0;
  }
  for (std::size_t k = 0; k < task.num_outputs(); ++k) {
    if (at.squares[k] > 0) statistic += num_rows * at.gradient[k] * at.gradient[k] / at.squares[k];
  }
  return statistic;
}

}  // namespace softwood
