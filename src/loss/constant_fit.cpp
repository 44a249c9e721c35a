#include "loss/constant_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "base/solve_definite.h"
#include "softwood/error.h"

namespace softwood::loss {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t kNewtonRows = 20000;
constexpr std::size_t kBlock = 1024;
constexpr int kMaxSteps = 60;
constexpr double kPull = 1e-6;  // of the gradients at the start
// Steps of the Hessian's differences: short ones, then some that see beyond the kinks of a loss.
constexpr std::array kDifferences = {1e-4, 0.03};
constexpr double kBound = 30;  // no log or logit constant goes beyond

/// Mean loss and mean gradient at constant outputs, in units of fit.scale.
struct Objective {
  const LossProgram& program;
  const WeightedRows& rows;
  const ConstantFit& fit;
  double pull = 0;

  struct At {
    double loss = 0;
    Vector gradient;
  };

  /// Calls use(first row, losses, gradients [outputs × block]) for blocks of rows.
  void for_blocks(const Vector& f, const std::function<void(std::size_t, std::span<const double>,
                                                            MatrixView<const double>)>& use) const {
    const std::size_t count = f.size();
    Vector constants(count * kBlock), losses(kBlock), slopes(count * kBlock);
    for (std::size_t k = 0; k < count; ++k)
      std::fill_n(constants.begin() + static_cast<std::ptrdiff_t>(k * kBlock), kBlock, f[k]);
    const LossData data = rows.data();
    for (std::size_t first = 0; first < rows.size(); first += kBlock) {
      const std::size_t length = std::min(kBlock, rows.size() - first);
      const MatrixView<double> gradient(slopes.data(), count, length, kBlock);
      const std::span<double> loss(losses.data(), length);
      program.value_and_gradient(data.slice(first, length),
                                 {constants.data(), count, length, kBlock}, loss, gradient);
      use(first, loss, gradient);
    }
  }

  At operator()(const Vector& f) const {
    At at{0, Vector(f.size(), 0)};
    for_blocks(
        f, [&](std::size_t first, std::span<const double> loss, MatrixView<const double> gradient) {
          for (std::size_t i = 0; i < loss.size(); ++i) {
            const double weight = rows.weights[first + i];
            at.loss += weight * loss[i];
            for (std::size_t k = 0; k < f.size(); ++k) at.gradient[k] += weight * gradient(k, i);
          }
        });
    at.loss /= rows.total_weight;
    for (std::size_t k = 0; k < f.size(); ++k) {
      at.gradient[k] *= fit.scale[k] / rows.total_weight;
      if (fit.is_location[k]) continue;
      at.loss += 0.5 * pull * f[k] * f[k];
      at.gradient[k] += pull * f[k];
    }
    return at;
  }

  bool allows(const Vector& f) const {
    for (std::size_t k = 0; k < f.size(); ++k) {
      if (!std::isfinite(f[k]) || (!fit.is_location[k] && std::abs(f[k]) > kBound)) return false;
    }
    return true;
  }
};

bool is_finite(const Objective::At& at) {
  return std::isfinite(at.loss) && std::all_of(at.gradient.begin(), at.gradient.end(),
                                               [](double g) { return std::isfinite(g); });
}

double norm(const Vector& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

/// Symmetric matrix of the gradient's differences, row-major.
Vector hessian(const Objective& objective, const Vector& f, double difference) {
  const std::size_t n = f.size();
  Vector matrix(n * n);
  for (std::size_t k = 0; k < n; ++k) {
    Vector up = f, down = f;
    up[k] += difference * objective.fit.scale[k];
    down[k] -= difference * objective.fit.scale[k];
    const Vector above = objective(up).gradient, below = objective(down).gradient;
    for (std::size_t j = 0; j < n; ++j)
      matrix[k * n + j] = (above[j] - below[j]) / (2 * difference);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      matrix[i * n + j] = matrix[j * n + i] = 0.5 * (matrix[i * n + j] + matrix[j * n + i]);
    }
  }
  return matrix;
}

Vector moved(const Objective& objective, const Vector& f, const Vector& step, double length) {
  Vector result = f;
  for (std::size_t k = 0; k < f.size(); ++k) result[k] -= length * step[k] * objective.fit.scale[k];
  return result;
}

/// Levenberg–Marquardt steps until none helps. Returns true if the gradient vanished.
bool newton(const Objective& objective, double difference, Vector& f, Objective::At& at) {
  const double tolerance = 1e-9 * std::max(norm(at.gradient), std::numeric_limits<double>::min());
  double damping = 1e-6;
  for (int iteration = 0; iteration < kMaxSteps; ++iteration) {
    if (norm(at.gradient) <= tolerance) return true;
    const Vector matrix = hessian(objective, f, difference);
    double largest = 0;
    for (std::size_t k = 0; k < f.size(); ++k)
      largest = std::max(largest, std::abs(matrix[k * f.size() + k]));
    bool better = false;
    for (int attempt = 0; attempt < 30 && !better; ++attempt, damping *= 8) {
      Vector step;
      const double ridge = damping * std::max(largest, 1e-3 * norm(at.gradient));
      if (!solve_definite(matrix, ridge, at.gradient, step)) continue;
      // No step beyond three of the outputs' own scales: exponentials punish long ones.
      const double length = std::min(1.0, 3 / norm(step));
      const Vector candidate = moved(objective, f, step, length);
      if (!objective.allows(candidate)) continue;
      Objective::At there = objective(candidate);
      if (!is_finite(there) || !(there.loss < at.loss)) continue;
      f = candidate;
      at = std::move(there);
      better = true;
    }
    if (!better) return false;
    damping = std::max(1e-12, damping / 64);
  }
  return false;
}

/// One golden section along output k, within a bracket that first grows downhill.
void golden_section(const Objective& objective, std::size_t k, Vector& f, Objective::At& at) {
  const double ratio = 0.5 * (std::sqrt(5.0) - 1);
  const auto loss_at = [&](double position) {
    Vector moved_f = f;
    moved_f[k] = position;
    if (!objective.allows(moved_f)) return std::numeric_limits<double>::infinity();
    const double loss = objective(moved_f).loss;
    return std::isnan(loss) ? std::numeric_limits<double>::infinity() : loss;
  };
  const double scale = objective.fit.scale[k];
  double width = scale / 1024;
  while (width < 1e3 * scale &&
         (loss_at(f[k] - width) < at.loss || loss_at(f[k] + width) < at.loss)) {
    width *= 2;
  }
  double low = f[k] - width, high = f[k] + width;
  double left = high - ratio * (high - low), right = low + ratio * (high - low);
  double loss_left = loss_at(left), loss_right = loss_at(right);
  while (high - low > 1e-9 * scale) {
    if (loss_left < loss_right) {
      high = right, right = left, loss_right = loss_left;
      left = high - ratio * (high - low), loss_left = loss_at(left);
    } else {
      low = left, left = right, loss_left = loss_right;
      right = low + ratio * (high - low), loss_right = loss_at(right);
    }
  }
  const double best = loss_left < loss_right ? left : right;
  if (!(loss_at(best) < at.loss)) return;
  f[k] = best;
  at = objective(f);
}

double weighted_median(const WeightedRows& rows) {
  std::vector<std::size_t> order(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rows.y[a] < rows.y[b]; });
  double below = 0;
  for (const std::size_t row : order) {
    below += rows.weights[row];
    if (below >= 0.5 * rows.total_weight) return rows.y[row];
  }
  return rows.y[order.back()];
}

/// Locations at the median of y, the others at 0; if the loss is not finite there, elsewhere.
Vector find_finite_start(const Objective& objective) {
  const double median = weighted_median(objective.rows);
  for (const double other : {0.0, median, 1.0, -1.0, 0.1, 5.0, -5.0}) {
    Vector start;
    for (const bool location : objective.fit.is_location)
      start.push_back(location ? median : other);
    if (objective.allows(start) && is_finite(objective(start))) return start;
  }
  throw Error(
      fmt::format("the loss '{}' is not finite for any constant prediction; check the formula "
                  "against the responses.",
                  objective.program.source().name));
}

/// Logarithms of the response's spread and size, where a log scale is likely to end up.
Vector likely_logarithms(const WeightedRows& rows) {
  double size = 0, mean = 0, square = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double share = rows.weights[i] / rows.total_weight;
    size += share * std::abs(rows.y[i]);
    mean += share * rows.y[i];
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    square += rows.weights[i] / rows.total_weight * (rows.y[i] - mean) * (rows.y[i] - mean);
  Vector logarithms;
  for (const double scale : {std::sqrt(square), size}) {
    if (scale > 0 && std::isfinite(scale)) logarithms.push_back(std::log(scale));
  }
  return logarithms;
}

/// The outputs that are no locations, the components of a vector together.
std::vector<std::vector<std::size_t>> scale_groups(const Objective& objective) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t k = 0; k < objective.fit.is_location.size(); ++k) {
    const std::string& name = objective.program.outputs()[k].name;
    if (!objective.fit.is_location[k]) groups[name.substr(0, name.find('['))].push_back(k);
  }
  std::vector<std::vector<std::size_t>> result;
  for (auto& [name, members] : groups) result.push_back(std::move(members));
  return result;
}

/// Far from the answer gradients are huge, and with them what is taken for flat: log scales start
/// at the response's own scale, the one that gains most first, wherever that is better than 0.
Vector find_start(const Objective& objective) {
  Vector start = find_finite_start(objective);
  if (objective.program.uses_classes()) return start;
  const Vector logarithms = likely_logarithms(objective.rows);
  const auto groups = scale_groups(objective);
  double least = objective(start).loss;
  for (std::size_t round = 0; round < groups.size(); ++round) {
    Vector best;
    for (const auto& group : groups) {
      for (const double candidate : logarithms) {
        Vector there = start;
        for (const std::size_t k : group) there[k] = candidate;
        if (!objective.allows(there)) continue;
        const Objective::At at = objective(there);
        if (!is_finite(at) || !(at.loss < least)) continue;
        least = at.loss;
        best = std::move(there);
      }
    }
    if (best.empty()) break;
    start = std::move(best);
  }
  return start;
}

/// The rows Newton works on: all of them if they merge to few, else a sample at a fixed stride.
WeightedRows newton_rows(const WeightedRows& rows) {
  WeightedRows merged = rows.merged();
  if (merged.size() <= kNewtonRows) return merged;
  return rows.every_nth_up_to(kNewtonRows);
}

}  // namespace

Vector fit_constants(const LossProgram& program, const WeightedRows& rows, const ConstantFit& fit) {
  const WeightedRows sample = newton_rows(rows);
  Objective objective{program, sample, fit};
  Vector f = find_start(objective);
  const Vector squares = weighted_square_gradients(program, sample, f);
  for (std::size_t k = 0; k < f.size(); ++k) {
    if (!fit.is_location[k])
      objective.pull = std::max(objective.pull, kPull * std::sqrt(squares[k]));
  }
  Objective::At at = objective(f);
  const bool solved = std::any_of(kDifferences.begin(), kDifferences.end(), [&](double difference) {
    return newton(objective, difference, f, at);
  });
  if (!solved) {
    const int sweeps = f.size() > 8 ? 1 : f.size() > 1 ? 3 : 1;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      for (std::size_t k = 0; k < f.size(); ++k) golden_section(objective, k, f, at);
    }
  }
  if (sample.total_weight == rows.total_weight) return f;
  // The sample's answer is near; one step with every row's gradient and the sample's Hessian
  // polishes it.
  const Objective whole{program, rows, fit, objective.pull};
  const Objective::At before = whole(f);
  Vector step;
  if (!solve_definite(hessian(objective, f, kDifferences[0]), 0, before.gradient, step)) return f;
  const Vector polished = moved(objective, f, step, std::min(1.0, 1 / norm(step)));
  return whole.allows(polished) && whole(polished).loss < before.loss ? polished : f;
}

Vector weighted_square_gradients(const LossProgram& program, const WeightedRows& rows,
                                 const Vector& f) {
  Vector sums(f.size(), 0);
  const ConstantFit unused{Vector(f.size(), 1), std::vector<bool>(f.size(), true)};
  Objective{program, rows, unused}.for_blocks(
      f, [&](std::size_t first, std::span<const double> loss, MatrixView<const double> gradient) {
        for (std::size_t i = 0; i < loss.size(); ++i) {
          for (std::size_t k = 0; k < f.size(); ++k) {
            sums[k] += rows.weights[first + i] * gradient(k, i) * gradient(k, i);
          }
        }
      });
  for (double& sum : sums) sum /= rows.total_weight;
  return sums;
}

}  // namespace softwood::loss
