#include "train/finish/balance.h"

#include <cmath>

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
  const ScoredRows& validation = parts.back();
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

/// parts: training rows, and last the validation rows.
Vector balancing_shift(const Task& task, std::span<const ScoredRows> parts, ThreadTeam& team) {
  const Vector shift = best_shift(task, parts, team);
  const Vector equal = with_equal_means(task, parts, shift, team);
  return rise_by(task, parts.back(), equal).is_borne() ? equal : shift;
}

}  // namespace

std::vector<double> balanced_offsets(const Tasks& tasks, std::span<const BalancedRows> parts,
                                     ThreadTeam& team) {
  std::vector<double> offsets;
  for (const Task& task : tasks) {
    std::vector<ScoredRows> scored;
    for (const BalancedRows& part : parts) {
      const std::size_t num_rows = part.examples->size();
      scored.push_back(
          {part.examples->responses.at(task.index_in_model), part.examples->weights,
           std::span(part.f).subspan(task.first_output * num_rows, task.num_outputs() * num_rows)});
    }
    const std::vector<double> shift = balancing_shift(task, scored, team);
    for (std::size_t k = 0; k < shift.size(); ++k)
      offsets.push_back(task.units.offset[k] + shift[k]);
  }
  return offsets;
}

}  // namespace softwood
