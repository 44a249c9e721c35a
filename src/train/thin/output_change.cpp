#include "train/thin/output_change.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/member_sums.h"
#include "task/mean_loss.h"
#include "task/raw_outputs.h"

namespace softwood {
namespace {

template <class T>
std::vector<T> pick(const std::vector<T>& all, std::span<const std::size_t> places) {
  std::vector<T> picked;
  if (all.empty()) return picked;
  for (const std::size_t place : places) picked.push_back(all[place]);
  return picked;
}

/// At most `most` of the rows, evenly spread.
Examples some_of(const Examples& all, std::size_t most) {
  std::vector<std::size_t> places;
  const std::size_t count = std::min(most, all.size());
  for (std::size_t i = 0; i < count; ++i) places.push_back(i * all.size() / count);
  Examples some{.positions = all.positions,
                .rows = pick(all.rows, places),
                .responses = {},
                .weights = pick(all.weights, places)};
  for (const Responses& task : all.responses) {
    Responses& own =
        some.responses.emplace_back(Responses{.y = pick(task.y, places), .columns = {}});
    for (const std::vector<double>& column : task.columns)
      own.columns.push_back(pick(column, places));
  }
  return some;
}

/// Of [outputs × rows] each output's mean, for every row.
std::vector<double> means_of_rows(const std::vector<double>& f, std::size_t num_rows) {
  std::vector<double> means;
  for (std::size_t first = 0; first < f.size(); first += num_rows) {
    const auto begin = f.begin() + static_cast<std::ptrdiff_t>(first);
    const double sum = std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(num_rows), 0.0);
    means.resize(first + num_rows, sum / static_cast<double>(num_rows));
  }
  return means;
}

/// Adds a member's [outputs × rows] to the mean.
void add_part(const std::vector<double>& part, std::size_t num_members, std::vector<double>& mean) {
  mean.resize(part.size(), 0.0);
  for (std::size_t i = 0; i < part.size(); ++i)
    mean[i] += part[i] / static_cast<double>(num_members);
}

/// What it may lose is the least of what it still loses and of what it has gained.
double what_can_be_lost(double loss, double constant_loss) {
  const double gained = std::max(0.0, constant_loss - loss);
  const double least = loss > 0 ? std::min(loss, gained) : gained;
  constexpr double kAtLeast = 1e-6;  // of a task that nothing was learned of, all may be lost
  return std::max(least, kAtLeast * std::max(std::abs(loss), std::abs(constant_loss)));
}

}  // namespace

OutputChange::OutputChange(const std::vector<Member>& members, const Tasks& tasks,
                           const Examples& rows, ThreadTeam& team)
    : members_(members), tasks_(tasks), rows_(some_of(rows, kMostRows)), chosen_(rows_.chosen()) {
  trees_ = mean_of_trees(
      [&](std::size_t m) -> auto& { return members[m].values; }, team);
  for (const Member& member : members)
    add_part(in_units(tasks, member.offset, member_sums(member, chosen_, team)), members.size(),
             f_);
  const std::vector<double> constant = in_units(tasks, std::vector<double>(f_.size(), 0.0));
  const std::vector<double> centre = means_of_rows(f_, rows_.size());
  for (const Task& task : tasks) {
    spreads_.push_back(squared_distance(task, f_, centre));
    losses_.push_back(loss_of(task, f_));
    most_.push_back(what_can_be_lost(losses_.back(), loss_of(task, constant)));
  }
}

double OutputChange::squared_distance(const Task& task, const std::vector<double>& a,
                                      const std::vector<double>& b) const {
  double sum = 0;
  for (std::size_t output = 0; output < task.num_outputs(); ++output) {
    const std::size_t first = (task.first_output + output) * rows_.size();
    for (std::size_t i = first; i < first + rows_.size(); ++i) {
      const double off = (a[i] - b[i]) / task.units.unit[output];
      sum += off * off;
    }
  }
  return sum;
}

template <class ValuesOf>
std::vector<double> OutputChange::mean_of_trees(const ValuesOf& values_of, ThreadTeam& team) const {
  std::vector<double> mean;
  for (std::size_t index = 0; index < members_.size(); ++index)
    add_part(tree_sums(members_[index].ensemble, values_of(index), chosen_, team), members_.size(),
             mean);
  return mean;
}

double OutputChange::loss_of(const Task& task, const std::vector<double>& f) const {
  const std::size_t num_rows = rows_.size();
  return mean_loss(
      task, rows_.responses[task.index_in_model], rows_.weights,
      std::span(f).subspan(task.first_output * num_rows, task.num_outputs() * num_rows));
}

double OutputChange::loss_share(const std::vector<MemberThinning::Result>& changed,
                                ThreadTeam& team) const {
  std::vector<double> there = mean_of_trees(
      [&](std::size_t m) -> auto& { return changed[m].values; }, team);
  std::vector<double> back(there.size());
  for (const Task& task : tasks_) {
    for (std::size_t output = 0; output < task.num_outputs(); ++output) {
      const std::size_t first = (task.first_output + output) * rows_.size();
      for (std::size_t i = first; i < first + rows_.size(); ++i) {
        const double change = task.units.unit[output] * (there[i] - trees_[i]);
        there[i] = f_[i] + change;
        back[i] = f_[i] - change;
      }
    }
  }
  double share = 0;
  for (const Task& task : tasks_) {
    const double loss = losses_[task.index_in_model];
    if (std::isnan(loss)) continue;  // no row has its response
    const double rise = (loss_of(task, there) + loss_of(task, back)) / 2 - loss;
    if (!std::isfinite(rise)) return std::numeric_limits<double>::infinity();
    share = std::max(share, rise / most_[task.index_in_model]);
    const double moved = squared_distance(task, there, f_);
    if (moved > 0) share = std::max(share, moved / spreads_[task.index_in_model]);
  }
  return share;
}

}  // namespace softwood
