#include "train/finish/balance.h"

#include <array>
#include <cmath>

#include "task/raw_outputs.h"
#include "train/finish/equal_means.h"
#include "train/finish/shift_fit.h"

namespace softwood {

using Vector = std::vector<double>;

LossRise rise_by(const Task& task, const ScoredRows& rows, std::span<const double> shift) {
  const std::size_t num_rows = rows.size();
  Vector moved(rows.f.begin(), rows.f.end()), before(num_rows), after(num_rows);
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += shift[i / num_rows];
  const LossData data = rows.responses.view();
  task.program.value(data, {rows.f.data(), shift.size(), num_rows}, before);
  task.program.value(data, {moved.data(), shift.size(), num_rows}, after);
  double total = 0, sum = 0, squares = 0;
  for (std::size_t row = 0; row < num_rows; ++row) {
    if (rows.weight(row) == 0) continue;
    total += rows.weight(row);
    sum += rows.weight(row) * (after[row] - before[row]);
  }
  if (total == 0) return {};
  const double mean = sum / total;
  for (std::size_t row = 0; row < num_rows; ++row) {
    const double off = rows.weight(row) * (after[row] - before[row] - mean);
    if (rows.weight(row) != 0) squares += off * off;
  }
  return {.mean = mean, .standard_error = std::sqrt(squares) / total};
}

namespace {

/// Where the gradient of the loss vanishes, as far as the validation rows bear it.
Vector best_shift(const Task& task, std::span<const ScoredRows> parts, ThreadTeam& team) {
  const ScoredRows& validation = parts[1];
  const Vector nothing(task.num_outputs(), 0.0);
  // One offset per output has a price: several move only if more than chance has set them wrong.
  const auto count = static_cast<double>(task.num_outputs());
  if (count > 1 && score_statistic(task, parts, team) < count) return nothing;
  std::vector<bool> all(task.num_outputs(), true), of_mean;
  for (const MeanRole role : mean_roles(task, parts[0])) of_mean.push_back(role != MeanRole::none);
  Vector shift = find_shift(task, parts, of_mean, team);
  LossRise rise = rise_by(task, validation, shift);
  if (of_mean != all) {
    // The trees know the training rows by heart, which want too small a dispersion: validation rows
    // decide whether it moves.
    Vector other = find_shift(task, parts, all, team);
    const LossRise other_rise = rise_by(task, validation, other);
    if (other_rise.mean < rise.mean) shift = std::move(other), rise = other_rise;
  }
  return rise.is_borne() ? shift : nothing;
}

/// parts: training and validation rows.
Vector balancing_shift(const Task& task, std::span<const ScoredRows> parts, ThreadTeam& team) {
  const Vector shift = best_shift(task, parts, team);
  const Vector equal = with_equal_means(task, parts, shift, team);
  return rise_by(task, parts[1], equal).is_borne() ? equal : shift;
}

}  // namespace

std::vector<double> balanced_offsets(const Tasks& tasks, const Ensemble& ensemble,
                                     std::span<const float> values, const Examples& training,
                                     const Examples& validation, ThreadTeam& team) {
  const std::array<const Examples*, 2> sides = {&training, &validation};
  std::array<std::vector<double>, 2> f;
  for (std::size_t side = 0; side < sides.size(); ++side)
    f[side] = in_units(tasks, tree_sums(ensemble, values, sides[side]->chosen(), team));
  std::vector<double> offsets;
  for (const Task& task : tasks) {
    std::vector<ScoredRows> parts;
    for (std::size_t side = 0; side < sides.size(); ++side) {
      const std::size_t num_rows = sides[side]->size();
      parts.push_back({sides[side]->responses.at(task.index_in_model), sides[side]->weights,
                       std::span(f[side]).subspan(task.first_output * num_rows,
                                                  task.num_outputs() * num_rows)});
    }
    const std::vector<double> shift = balancing_shift(task, parts, team);
    for (std::size_t k = 0; k < shift.size(); ++k)
      offsets.push_back(task.units.offset[k] + shift[k]);
  }
  return offsets;
}

}  // namespace softwood
