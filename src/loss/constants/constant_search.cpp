#include "loss/constants/constant_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/conjugate_gradients.h"
#include "base/solve_definite.h"

namespace softwood::loss {
namespace {

using Vector = std::vector<double>;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Newton's steps; the limits are for losses that never settle.
constexpr int kMaxSteps = 60;
constexpr std::size_t kFewOutputs = 32;  // whose Hessian is a matrix
constexpr int kMaxProducts = 40;         // with the Hessian, for one step of many outputs
constexpr int kMaxGradients = 400;       // for all steps of many outputs
constexpr double kTolerance = 1e-11;     // of an output's gradients at the origin
constexpr double kManyTolerance = 1e-4;  // of the largest ones
constexpr double kLongestStep = 3;       // exponentials punish longer ones

// Differences of gradients. The shortest step leaves ten bits of f to differ in; eight times 32
// lead down to it from any that is asked for.
constexpr double kShortestInResolutions = 1024;
constexpr double kShortening = 32;
constexpr int kMaxShortenings = 8;

// Levenberg and Marquardt's damping, a part of the diagonal. It starts where it changes nothing
// that differences of gradients would notice, grows by 8 until a step helps (30 times: to any size)
// and shrinks by 64 after each that did, so that Newton's own steps come back soon.
constexpr double kFirstDamping = 1e-6;
constexpr double kLeastDamping = 1e-12;
constexpr double kDampingGrowth = 8;
constexpr double kDampingDecay = 64;
constexpr int kMaxDampings = 30;
// Below it a step that moves nothing means the end, not a damping that was too strong.
constexpr double kLightDamping = 1e-3;
// The least diagonal to take a part of, in norms of the gradient: flat directions need some.
constexpr double kLeastDiagonal = 1e-3;

// Line search of many outputs: quarters, down to a millionth of Newton's step.
constexpr double kLineShortening = 4;
constexpr double kShortestLine = 1e-6;
// How exactly Newton's equations are solved: as exactly as the gradient has shrunk, within these.
constexpr double kFinestSolution = 1e-4;
constexpr double kCoarsestSolution = 0.1;

// What rounding does to a mean loss: a few units of its last place, or a few times what is seen in
// steps of six bits of f, too short to change it otherwise.
constexpr double kRoundingsOfLoss = 16;
constexpr double kRoundingStepInResolutions = 64;
constexpr double kRoundingsSeen = 4;
// Rounding below this part of the loss's unit cannot hide a worse point.
constexpr double kFineRounding = 1e-9;
// Where losses cannot tell, gradients must shrink to this part.
constexpr double kClearlySmaller = 0.8;

// Golden sections, within brackets that double from 1/1024 of the output's scale; 70 of them narrow
// even the widest bracket to 5e-12.
constexpr double kFirstBracket = 1.0 / 1024;
constexpr double kWidest = 1e3;
constexpr int kMaxSections = 70;
constexpr double kNarrow = 1e-9;
constexpr double kNarrowInResolutions = 4;
constexpr double kMostSectionWork = 1e9;  // numbers that golden sections may compute
// One output needs one sweep; few that depend on one another need more; for many that takes long.
constexpr int kSweeps = 3;
constexpr std::size_t kMostSweptOutputs = 8;

Vector moved(const Vector& u, const Vector& step, double length) {
  Vector result = u;
  for (std::size_t k = 0; k < u.size(); ++k) result[k] -= length * step[k];
  return result;
}

/// The gradient is worth its name that far: it changes by no more than its own size.
bool is_small(const ConstantObjective& objective, const Vector& change) {
  for (std::size_t k = 0; k < change.size(); ++k) {
    if (!(std::abs(change[k]) <= objective.gradient_size(k))) return false;
  }
  return true;
}

/// The gradient's change along output k, per unit: over a step that survives the rounding of f, but
/// is short where the loss is steep.
Vector slopes_along(const ConstantObjective& objective, const Vector& u, std::size_t k,
                    double difference) {
  const double shortest = kShortestInResolutions * objective.resolution(k);
  double step = std::max(difference, shortest);
  for (int attempt = 0;; ++attempt, step = std::max(step / kShortening, shortest)) {
    Vector up = u, down = u;
    up[k] += step;
    down[k] -= step;
    Vector change = objective.at(up).gradient;
    const Vector below = objective.at(down).gradient;
    for (std::size_t j = 0; j < u.size(); ++j) change[j] -= below[j];
    const bool done = attempt == kMaxShortenings || step == shortest || is_small(objective, change);
    if (!done) continue;
    for (double& slope : change) slope /= 2 * step;
    return change;
  }
}

/// Symmetric matrix of the gradient's differences, row-major.
Vector hessian(const ConstantObjective& objective, const Vector& u, double difference) {
  const std::size_t n = u.size();
  Vector matrix;
  for (std::size_t k = 0; k < n; ++k) {
    const Vector row = slopes_along(objective, u, k, difference);
    matrix.insert(matrix.end(), row.begin(), row.end());
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      matrix[i * n + j] = matrix[j * n + i] = 0.5 * (matrix[i * n + j] + matrix[j * n + i]);
    }
  }
  return matrix;
}

/// The matrix with a diagonal that is larger by a part of itself.
Vector damped(Vector matrix, const Vector& gradient, double damping) {
  const std::size_t n = gradient.size();
  const double least = kLeastDiagonal * norm(gradient);
  for (std::size_t k = 0; k < n; ++k)
    matrix[k * n + k] += damping * std::max(std::abs(matrix[k * n + k]), least);
  return matrix;
}

/// Every output's gradient vanished; of many outputs, beside the largest gradients.
bool is_solved(const ConstantObjective& objective, const MeanLoss& at) {
  const double negligible = at.gradient.size() > kFewOutputs ? kManyTolerance : 0;
  for (std::size_t k = 0; k < at.gradient.size(); ++k) {
    const double tolerance = std::max(negligible, kTolerance * objective.gradient_size(k));
    if (std::abs(at.gradient[k]) > tolerance) return false;
  }
  return true;
}

double relative_slope(const ConstantObjective& objective, const MeanLoss& at) {
  double sum = 0;
  for (std::size_t k = 0; k < at.gradient.size(); ++k)
    sum += std::abs(at.gradient[k]) / objective.gradient_size(k);
  return sum;
}

/// How much of the loss is rounding: what changes in steps too short to change it.
double rounding_of(const ConstantObjective& objective, const Vector& u, const MeanLoss& at) {
  double rounding = kRoundingsOfLoss * kEpsilon * std::abs(at.loss);
  if (u.size() > kFewOutputs) return rounding;
  for (std::size_t k = 0; k < u.size(); ++k) {
    const double step = kRoundingStepInResolutions * objective.resolution(k);
    Vector beside = u;
    beside[k] += step;
    const double change = objective.loss(beside) - at.loss - step * at.gradient[k];
    if (std::isfinite(change)) rounding = std::max(rounding, kRoundingsSeen * std::abs(change));
  }
  return rounding;
}

/// Less loss, or, where the difference is lost in the loss's rounding, clearly smaller gradients.
bool is_better(const ConstantObjective& objective, const MeanLoss& there, const MeanLoss& here,
               double rounding) {
  if (!there.is_finite()) return false;
  if (there.loss < here.loss - rounding) return true;
  const double slope = relative_slope(objective, there), before = relative_slope(objective, here);
  return there.loss < here.loss
             ? slope <= before || rounding < kFineRounding
             : there.loss <= here.loss + rounding && slope < kClearlySmaller * before;
}

/// Goes along `step`, shortened if it is long, if that helps.
bool try_step(const ConstantObjective& objective, const Vector& step, double length,
              double rounding, Vector& u, MeanLoss& at) {
  const Vector candidate = moved(u, step, length * std::min(1.0, kLongestStep / norm(step)));
  if (!objective.allows(candidate)) return false;
  MeanLoss there = objective.at(candidate);
  if (!is_better(objective, there, at, rounding)) return false;
  u = candidate;
  at = std::move(there);
  return true;
}

/// No number of f would change.
bool is_lost(const ConstantObjective& objective, const Vector& step) {
  for (std::size_t k = 0; k < step.size(); ++k) {
    if (std::abs(step[k]) > objective.resolution(k)) return false;
  }
  return true;
}

/// Levenberg–Marquardt.
bool newton_with_matrix(const ConstantObjective& objective, double difference, Vector& u,
                        MeanLoss& at) {
  double damping = kFirstDamping;
  const double rounding = rounding_of(objective, u, at);
  for (int iteration = 0; iteration < kMaxSteps; ++iteration) {
    if (is_solved(objective, at)) return true;
    const Vector matrix = hessian(objective, u, difference);
    bool better = false;
    for (int attempt = 0; attempt < kMaxDampings && !better; ++attempt, damping *= kDampingGrowth) {
      Vector step;
      if (!solve_definite(damped(matrix, at.gradient, damping), 0, at.gradient, step)) continue;
      if (damping < kLightDamping && is_lost(objective, step)) return true;
      better = try_step(objective, step, 1, rounding, u, at);
    }
    if (!better) return false;
    damping = std::max(kLeastDamping, damping / kDampingDecay);
  }
  return false;
}

/// Newton's step by products with the Hessian, up to where the loss is not convex. Empty if that
/// is at once.
Vector step_by_products(const ConstantObjective& objective, const Vector& u, const Vector& gradient,
                        double difference, double tolerance, int& gradients_left) {
  const auto product = [&](const Vector& direction) {
    double largest = 0;
    for (const double each : direction) largest = std::max(largest, std::abs(each));
    const double length = difference / largest;
    Vector change = objective.at(moved(u, direction, -length)).gradient;
    const Vector below = objective.at(moved(u, direction, length)).gradient;
    gradients_left -= 2;
    for (std::size_t k = 0; k < u.size(); ++k) change[k] = (change[k] - below[k]) / (2 * length);
    return change;
  };
  const int allowed = std::min(kMaxProducts, (gradients_left + 1) / 2);
  return ConjugateGradients{.product = product, .tolerance = tolerance, .max_products = allowed}
      .solve(gradient);
}

bool newton_with_products(const ConstantObjective& objective, double difference, Vector& u,
                          MeanLoss& at) {
  const double first = norm(at.gradient);
  const double rounding = rounding_of(objective, u, at);
  int gradients_left = kMaxGradients;
  for (int iteration = 0; iteration < kMaxSteps && gradients_left > 0; ++iteration) {
    if (is_solved(objective, at)) return true;
    const double tolerance =
        std::clamp(norm(at.gradient) / first, kFinestSolution, kCoarsestSolution);
    Vector step =
        step_by_products(objective, u, at.gradient, difference, tolerance, gradients_left);
    if (step.empty()) step = at.gradient;
    bool better = false;
    for (double length = 1; !better && length > kShortestLine && gradients_left-- > 0;
         length /= kLineShortening)
      better = try_step(objective, step, length, rounding, u, at);
    if (!better) return false;
  }
  return false;
}

/// The bracket around u_k in which the least loss lies.
double find_width(const std::function<double(double)>& loss_at, double here, double least) {
  double width = kFirstBracket;
  while (width < kWidest && (loss_at(here - width) < least || loss_at(here + width) < least))
    width *= 2;
  return width;
}

void golden_section(const ConstantObjective& objective, std::size_t k, Vector& u, MeanLoss& at) {
  const double ratio = 0.5 * (std::sqrt(5.0) - 1);
  const auto loss_at = [&](double place) {
    Vector there = u;
    there[k] = place;
    return objective.loss(there);
  };
  const double width = find_width(loss_at, u[k], at.loss);
  double low = u[k] - width, high = u[k] + width;
  double left = high - ratio * (high - low), right = low + ratio * (high - low);
  double loss_left = loss_at(left), loss_right = loss_at(right);
  const double narrow = std::max(kNarrow, kNarrowInResolutions * objective.resolution(k));
  for (int section = 0; section < kMaxSections && high - low > narrow; ++section) {
    if (loss_left < loss_right) {
      high = right, right = left, loss_right = loss_left;
      left = high - ratio * (high - low), loss_left = loss_at(left);
    } else {
      low = left, left = right, loss_left = loss_right;
      right = low + ratio * (high - low), loss_right = loss_at(right);
    }
  }
  if (!(std::min(loss_left, loss_right) < at.loss)) return;
  u[k] = loss_left < loss_right ? left : right;
  at = objective.at(u);
}

}  // namespace

bool newton(const ConstantObjective& objective, double difference, Vector& u, MeanLoss& at) {
  return u.size() <= kFewOutputs ? newton_with_matrix(objective, difference, u, at)
                                 : newton_with_products(objective, difference, u, at);
}

Vector newton_step(const ConstantObjective& objective, double difference, const Vector& u,
                   const Vector& gradient) {
  Vector step;
  if (u.size() <= kFewOutputs) {
    solve_definite(hessian(objective, u, difference), 0, gradient, step);
    return step;
  }
  int gradients_left = kMaxGradients;
  return step_by_products(objective, u, gradient, difference, kFinestSolution, gradients_left);
}

void golden_sections(const ConstantObjective& objective, Vector& u, MeanLoss& at) {
  const auto n = static_cast<double>(u.size());
  const auto rows = static_cast<double>(objective.num_rows());
  if (u.size() > kFewOutputs && n * n * rows * kMaxSections > kMostSectionWork) return;
  const int sweeps = u.size() > kMostSweptOutputs || u.size() == 1 ? 1 : kSweeps;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t k = 0; k < u.size(); ++k) golden_section(objective, k, u, at);
  }
}

Vector curvatures(const ConstantObjective& objective, double difference, const Vector& u) {
  Vector diagonal;
  for (std::size_t k = 0; k < u.size(); ++k)
    diagonal.push_back(slopes_along(objective, u, k, difference)[k]);
  return diagonal;
}

}  // namespace softwood::loss
