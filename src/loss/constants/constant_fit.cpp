#include "loss/constants/constant_fit.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "loss/constants/constant_search.h"
#include "loss/constants/constant_start.h"

namespace softwood::loss {
namespace {

using Vector = std::vector<double>;

/// Widths cost four gradients over all rows for each output; for more outputs that takes too long.
constexpr std::size_t kMostWidths = 32;
/// An output whose width is below this part of its scale is measured in widths instead.
constexpr double kSteep = 0.1;
/// Beside a cusp, in units of the output's scale: as near as possible, on either side; the last one
/// is no round number, so that it hits no response of round data.
constexpr std::array kBesideCusps = {0.0, 1e-6, -1e-6, 1e-4, -1e-4, 0.0123, -0.0123};
/// Steps of the Hessian's differences: short ones, whose square (what higher derivatives add)
/// leaves eight digits and whose inverse (what rounding adds) more; then some that see beyond
/// kinks.
constexpr std::array kDifferences = {1e-4, 0.03};

/// The rows Newton works on: all of them if they merge to few, else a sample at a fixed stride.
struct Sample {
  WeightedRows rows;
  bool is_whole;
};
Sample draw_sample(const WeightedRows& rows) {
  WeightedRows merged = rows.merged();
  if (merged.size() <= kRowsFittedWhole) return {std::move(merged), true};
  return {rows.every_nth_up_to(kRowsFittedWhole), false};
}

/// The sample's answer is near; one step with every row's gradient and the sample's Hessian
/// polishes it.
void polish(const ConstantObjective& sample, const ConstantObjective& whole, Vector& u) {
  const MeanLoss before = whole.at(u);
  if (!before.is_finite()) return;
  Vector polished = u;
  const Vector step = newton_step(sample, kDifferences[0], u, before.gradient);
  if (step.empty()) return;
  const double length = std::min(1.0, 1 / norm(step));
  for (std::size_t k = 0; k < u.size(); ++k) polished[k] -= length * step[k];
  if (whole.loss(polished) < before.loss) u = std::move(polished);
}

/// Where the gradient is infinite (the cusp of sqrt(abs(y - f)) at a response), training cannot
/// begin, but close by it can.
void step_beside_cusps(const ConstantObjective& whole, Vector& u) {
  for (const double aside : kBesideCusps) {
    Vector beside = u;
    for (double& place : beside) place += aside;
    if (!whole.at(beside).is_finite()) continue;
    u = std::move(beside);
    return;
  }
}

/// See Constants::width. The larger one of two lengths of differences: kinks fake curvature.
Vector widths(const LossProgram& program, const WeightedRows& rows, const ConstantFit& fit,
              const ConstantObjective& objective, const Vector& u) {
  Vector width(u.size(), 0);
  if (u.size() > kMostWidths || program.uses_classes()) return width;
  const Vector rms = rms_gradients(program, rows, objective.outputs(u));
  for (const double difference : kDifferences) {
    const Vector curvature = curvatures(objective.without_pull(), difference, u);
    for (std::size_t k = 0; k < u.size(); ++k) {
      const double own = fit.scale[k] * (rms[k] * fit.scale[k] / objective.size()) / curvature[k];
      if (curvature[k] > 0 && std::isfinite(own)) width[k] = std::max(width[k], own);
    }
  }
  return width;
}

/// Outputs in which the loss is so steep that rows want but tiny steps are measured by these.
ConstantFit with_steep_outputs(const LossProgram& program, const WeightedRows& rows,
                               const ConstantFit& fit, const Vector& start,
                               const Checkpoint& checkpoint) {
  ConstantFit measured = fit;
  const ConstantObjective objective(program, rows, fit, start, checkpoint);
  const Vector width = widths(program, rows, fit, objective, Vector(start.size(), 0));
  for (std::size_t k = 0; k < start.size(); ++k) {
    if (!fit.is_location[k] && width[k] > 0 && width[k] < kSteep) measured.scale[k] = width[k];
  }
  return measured;
}

}  // namespace

Constants fit_constants(const LossProgram& program, const WeightedRows& rows,
                        const ConstantFit& given, const Checkpoint& checkpoint) {
  const Sample sample = draw_sample(rows);
  const Vector start = find_start(program, sample.rows, given, checkpoint);
  const ConstantFit fit = with_steep_outputs(program, sample.rows, given, start, checkpoint);
  const ConstantObjective objective(program, sample.rows, fit, start, checkpoint);
  Vector u(fit.scale.size(), 0);
  MeanLoss at = objective.at(u);
  const bool solved = std::any_of(kDifferences.begin(), kDifferences.end(), [&](double difference) {
    return newton(objective, difference, u, at);
  });
  if (!solved) golden_sections(objective, u, at);
  const ConstantObjective whole = sample.is_whole ? objective : objective.over(rows);
  if (!sample.is_whole) polish(objective, whole, u);
  step_beside_cusps(whole, u);
  return {objective.outputs(u), widths(program, sample.rows, fit, objective, u)};
}

}  // namespace softwood::loss
