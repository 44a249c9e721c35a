#include "train/finish/equal_means.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace softwood {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t kProbes = 64;  // rows that tell what the mean depends on
constexpr int kMaxSteps = 20;
constexpr double kDifference = 3e-3;  // of an output in its unit
constexpr double kEqual = 1e-9;       // of the logarithm of a ratio

Vector moved_by(Vector from, double length, const Vector& direction) {
  for (std::size_t k = 0; k < from.size(); ++k) from[k] += length * direction[k];
  return from;
}

/// The loss's `mean` of some rows; empty if it has none, or several.
Vector predicted_means(const Task& task, const LossData& data, const Vector& f) {
  const std::size_t num_rows = f.size() / task.num_outputs();
  std::size_t size = 0, place = 0, found = 0;
  for (const LossProgram::Prediction& prediction : task.program.predictions()) {
    if (prediction.name == "mean") place = size, found = prediction.size;
    size += prediction.size;
  }
  if (found != 1) return {};
  Vector all(size * num_rows);
  task.program.predict(data, {f.data(), task.num_outputs(), num_rows},
                       {all.data(), size, num_rows});
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(place * num_rows);
  return {first, first + static_cast<std::ptrdiff_t>(num_rows)};
}

/// Weighted sums of a task's predicted means and of its responses.
class MeanSums {
 public:
  MeanSums(const Task& task, std::span<const ScoredRows> parts, ThreadTeam& team)
      : task_(task), parts_(parts), team_(team) {
    for (const ScoredRows& rows : parts) {
      for (std::size_t row = 0; row < rows.responses.y.size(); ++row) {
        const double y = rows.responses.y[row];
        if (rows.weight(row) == 0) continue;
        least_ = std::min(least_, y);
        responses_ += rows.weight(row) * y;
      }
    }
  }

  /// No response is below zero, some are above, and so are all means.
  bool are_amounts() const {
    if (!(least_ >= 0) || !(responses_ > 0) || !std::isfinite(responses_)) return false;
    return ratio(Vector(task_.num_outputs(), 0.0)) > 0;
  }
  /// Of predictions to responses; NaN if the loss has no mean or one is below zero.
  double ratio(const Vector& shift) const {
    std::vector<RowBlock> blocks = blocks_of(parts_);
    Vector sums(blocks.size());
    team_.for_each(blocks.size(),
                   [&](std::size_t block) { sums[block] = sum_of_means(blocks[block], shift); });
    return std::accumulate(sums.begin(), sums.end(), 0.0) / responses_;
  }

 private:
  double sum_of_means(const RowBlock& block, const Vector& shift) const {
    const ScoredRows& rows = parts_[block.part];
    const Vector means = predicted_means(
        task_, rows.responses.view().slice(block.first, block.length), shifted(rows, block, shift));
    if (means.empty()) return std::nan("");
    double sum = 0;
    for (std::size_t i = 0; i < block.length; ++i) {
      const double weight = rows.weight(block.first + i);
      if (weight > 0) sum += means[i] < 0 ? std::nan("") : weight * means[i];
    }
    return sum;
  }

  const Task& task_;
  std::span<const ScoredRows> parts_;
  ThreadTeam& team_;
  double least_ = 0, responses_ = 0;
};

}  // namespace

std::vector<MeanRole> mean_roles(const Task& task, const ScoredRows& rows) {
  const std::size_t count = task.num_outputs();
  const RowBlock probes{0, 0, std::min(rows.size(), kProbes)};
  const LossData data = rows.responses.view().slice(0, probes.length);
  Vector shift(count, 0.0);
  const Vector here = predicted_means(task, data, shifted(rows, probes, shift));
  std::vector<MeanRole> roles(count, MeanRole::other);
  if (here.empty()) return roles;
  for (std::size_t k = 0; k < count; ++k) {
    const double step = task.units.unit[k];
    shift.assign(count, 0.0);
    shift[k] = step;
    const Vector there = predicted_means(task, data, shifted(rows, probes, shift));
    const auto moves_along = [&](double before, double after) {
      return std::abs(after - before - step) <= 1e-6 * step;
    };
    if (there == here) roles[k] = MeanRole::none;
    if (std::equal(here.begin(), here.end(), there.begin(), moves_along))
      roles[k] = MeanRole::location;
  }
  return roles;
}

std::vector<double> with_equal_means(const Task& task, std::span<const ScoredRows> parts,
                                     std::vector<double> shift, ThreadTeam& team) {
  const MeanSums sums(task, parts, team);
  if (task.program.has_censoring() || !sums.are_amounts()) return shift;
  const std::vector<MeanRole> roles = mean_roles(task, parts[0]);
  const auto logarithm_at = [&](const Vector& there) { return std::log(sums.ratio(there)); };
  double here = logarithm_at(shift), steepest = 0;
  Vector direction(shift.size(), 0.0);
  for (std::size_t k = 0; k < shift.size(); ++k) {
    if (roles[k] != MeanRole::other) continue;
    Vector along(shift.size(), 0.0);
    along[k] = kDifference * task.units.unit[k];
    const double slope = (logarithm_at(moved_by(shift, 1, along)) - here) / along[k];
    if (!(std::abs(slope) > std::abs(steepest))) continue;
    steepest = slope;
    direction.assign(shift.size(), 0.0);
    direction[k] = 1;
  }
  if (steepest == 0) return shift;
  // The secant method; of a logarithm of the mean the first step is the answer.
  Vector moved = shift;
  for (int step = 0; step < kMaxSteps && std::abs(here) > kEqual; ++step) {
    const double length = -here / steepest;
    if (!(std::abs(length) < 1)) return shift;
    moved = moved_by(moved, length, direction);
    const double there = logarithm_at(moved);
    if (!std::isfinite(there)) return shift;
    if (there != here) steepest = (there - here) / length;
    here = there;
  }
  return moved;
}

}  // namespace softwood
