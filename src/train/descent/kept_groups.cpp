#include "train/descent/kept_groups.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "softwood/error.h"
#include "task/raw_outputs.h"
#include "train/descent/blend.h"
#include "train/descent/examples_loss.h"

namespace softwood {
namespace {

/// Weights are found anew when there are so many times as many epochs as when they were found.
constexpr double kEpochsWhileItGains = 2, kEpochsAtRest = 1.5;

/// g [outputs × rows] of all tasks: what the groups add to each, by their weights.
/// `weights(task)`: per group; `scores(group, task)`: g [the task's outputs × rows].
template <class Weights, class Scores>
std::vector<double> add_up(const Tasks& tasks, std::size_t num_rows, const Weights& weights,
                           const Scores& scores) {
  std::vector<double> g;
  for (const Task& task : tasks) {
    std::vector<double> own(task.num_outputs() * num_rows, 0.0);
    const std::vector<double> of_groups = weights(task);
    for (std::size_t group = 0; group < of_groups.size(); ++group) {
      if (of_groups[group] == 0) continue;
      const std::span<const double> added = scores(group, task);
      for (std::size_t i = 0; i < own.size(); ++i) own[i] += of_groups[group] * added[i];
    }
    g.insert(g.end(), own.begin(), own.end());
  }
  return g;
}

}  // namespace

KeptGroups::KeptGroups(const Groups& groups, const Tasks& tasks, const Examples& validation,
                       std::optional<std::span<const double>> linear, const BlendRules& rules)
    : groups_(groups),
      tasks_(tasks),
      validation_(validation),
      linear_(linear),
      rules_(rules),
      state_{.choices = std::vector<Choice>(tasks.size(),
                                            {.epochs = std::vector<int>(num_parts(), kNotKept),
                                             .weights = std::vector<double>(num_parts(), 0.0)}),
             .losses = {}} {
  if (validation.size() > 0)
    state_.losses.assign(tasks.size(), std::numeric_limits<double>::quiet_NaN());
}

bool KeptGroups::Choice::is_empty() const {
  return std::count(epochs.begin(), epochs.end(), kNotKept) == std::ssize(epochs);
}

/// Of these the same groups take part.
bool KeptGroups::Choice::takes_from(const std::vector<int>& others) const {
  return std::equal(epochs.begin(), epochs.end(), others.begin(),
                    [](int own, int other) { return (own == kNotKept) == (other == kNotKept); });
}

void KeptGroups::update(int epoch, ThreadTeam& team) {
  bool is_new = false;
  for (const Task& task : tasks_) {
    Choice& choice = state_.choices[task.index_in_model];
    std::vector<int> epochs = epochs_for(task);
    const bool is_better = epochs != choice.epochs;
    const double patience = is_better ? kEpochsWhileItGains : kEpochsAtRest;
    choice.is_due = (is_better || !choice.is_settled) &&
                    (!choice.takes_from(epochs) || epoch >= patience * choice.weighed_at);
    choice.is_settled = choice.is_settled && !is_better;
    choice.epochs = std::move(epochs);
    is_new = is_new || is_better || choice.is_due;
  }
  if (!is_new) return;
  const std::vector<double> before = state_.losses;
  weigh_what_is_due(epoch, team);
  find_losses();
  bool is_due = false;
  for (std::size_t task = 0; task < state_.losses.size(); ++task) {
    Choice& choice = state_.choices[task];
    choice.is_due = !choice.is_settled && !(state_.losses[task] <= before[task]);
    is_due = is_due || choice.is_due;
  }
  if (!is_due) return;
  weigh_what_is_due(epoch, team);
  find_losses();
}

void KeptGroups::settle(ThreadTeam& team) {
  bool is_due = false;
  for (Choice& choice : state_.choices) {
    choice.is_due = !choice.is_settled;
    is_due = is_due || choice.is_due;
  }
  if (!is_due) return;
  weigh_what_is_due(0, team);
  find_losses();
}

void KeptGroups::weigh_what_is_due(int epoch, ThreadTeam& team) {
  team.for_each(tasks_.size(), [&](std::size_t index) {
    Choice& choice = state_.choices[tasks_[index].index_in_model];
    if (!choice.is_due) return;
    choice.weights = weights_for(tasks_[index]);
    choice.weighed_at = epoch;
    choice.is_settled = true;
    choice.is_due = false;
  });
}

void KeptGroups::find_losses() {
  if (validation_.size() == 0) return;
  const std::vector<double> g = add_up(
      tasks_, validation_.size(),
      [&](const Task& task) { return state_.choices[task.index_in_model].weights; },
      [&](std::size_t group, const Task& task) { return best_scores(group, task); });
  state_.losses = mean_losses(tasks_, validation_, in_units(tasks_, g));
  for (const Task& task : tasks_) {
    if (state_.choices[task.index_in_model].is_empty() && !stays_constant(task))
      state_.losses[task.index_in_model] = std::numeric_limits<double>::quiet_NaN();
  }
}

/// Those that learned the task and had a finite validation loss.
std::vector<int> KeptGroups::epochs_for(const Task& task) const {
  std::vector<int> epochs(num_parts(), kNotKept);
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    const auto place = groups_[group]->find_task(task);
    if (!place || is_outdone(group)) continue;
    if (const Snapshot* const best = groups_[group]->best(*place)) epochs[group] = best->epoch;
  }
  if (linear_) epochs.back() = kNoEpoch;
  return epochs;
}

std::vector<double> KeptGroups::weights_for(const Task& task) const {
  const Choice& choice = state_.choices[task.index_in_model];
  std::vector<std::size_t> chosen;
  for (std::size_t part = 0; part < num_parts(); ++part) {
    if (choice.epochs[part] != kNotKept) chosen.push_back(part);
  }
  BlendPrior prior{.is_wary = rules_.is_wary};
  if (!rules_.usual.empty()) {
    prior.rows = rules_.pull_rows;
    for (const std::size_t part : chosen)
      prior.usual.push_back(rules_.usual[task.index_in_model][part]);
  }
  std::vector<double> weights = usual_weights(prior, chosen.size());
  if (chosen.size() > 1 && validation_.size() > 0) {
    std::vector<std::span<const double>> scores;
    for (const std::size_t part : chosen) scores.push_back(best_scores(part, task));
    weights = find_blend(task, validation_.responses[task.index_in_model], validation_.weights,
                         scores, prior);
  }
  std::vector<double> all(num_parts(), 0.0);
  for (std::size_t i = 0; i < chosen.size(); ++i) all[chosen[i]] = weights[i];
  return all;
}

/// Of few trees, the better group is kept: another one learned the same tasks with less loss.
bool KeptGroups::is_outdone(std::size_t index) const {
  if (!rules_.one_group) return false;
  const GroupRun& group = *groups_[index];
  const auto is_sound = [](const GroupRun& each) { return each.best(0) != nullptr; };
  for (std::size_t other = 0; other < groups_.size(); ++other) {
    const GroupRun& rival = *groups_[other];
    const bool same = rival.tasks().size() == group.tasks().size() &&
                      rival.find_task(group.tasks()[0]) && is_sound(rival);
    const bool before = rival.best_loss() == group.best_loss() && other < index;
    if (same && (rival.best_loss() < group.best_loss() || before)) return true;
  }
  return false;
}

std::vector<double> KeptGroups::losses_now() const {
  if (validation_.size() == 0) return {};
  const std::vector<double> g = add_up(
      tasks_, validation_.size(), [&](const Task& task) { return weights_now(task); },
      [&](std::size_t group, const Task& task) { return last_scores(group, task); });
  return mean_losses(tasks_, validation_, in_units(tasks_, g));
}

/// Those of the choice; of a task that has none so far, equal ones.
std::vector<double> KeptGroups::weights_now(const Task& task) const {
  const std::vector<double>& chosen = state_.choices[task.index_in_model].weights;
  if (std::count(chosen.begin(), chosen.end(), 0.0) < std::ssize(chosen) || stays_constant(task))
    return chosen;
  std::vector<double> equal;
  for (std::size_t part = 0; part < num_parts(); ++part)
    equal.push_back(learns(part, task) ? 1 : 0);
  const auto count = static_cast<double>(std::count(equal.begin(), equal.end(), 1));
  for (double& weight : equal) weight /= count;
  return equal;
}

bool KeptGroups::learns(std::size_t part, const Task& task) const {
  return is_linear(part) || groups_[part]->find_task(task).has_value();
}

bool KeptGroups::stays_constant(const Task& task) const {
  for (std::size_t part = 0; part < num_parts(); ++part) {
    if (learns(part, task)) return false;
  }
  return true;
}

std::span<const double> KeptGroups::last_scores(std::size_t part, const Task& task) const {
  if (is_linear(part)) return linear_scores(task);
  return groups_[part]->scores(groups_[part]->find_task(task).value());
}

std::span<const double> KeptGroups::best_scores(std::size_t part, const Task& task) const {
  if (is_linear(part)) return linear_scores(task);
  return groups_[part]->best_scores(groups_[part]->find_task(task).value());
}

std::span<const double> KeptGroups::linear_scores(const Task& task) const {
  return linear_->subspan(task.first_output * validation_.size(),
                          task.num_outputs() * validation_.size());
}

void KeptGroups::expect_sound() const {
  for (const Task& task : tasks_) {
    if (!state_.choices[task.index_in_model].is_empty() || stays_constant(task)) continue;
    throw Error(fmt::format(
        "the validation loss of '{}' was never finite. Check the response and the loss, or lower "
        "--learning-rate.",
        task.target));
  }
}

int KeptGroups::best_epoch() const {
  int latest = 0;
  for (const Choice& choice : state_.choices) {
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      if (choice.weights[group] != 0) latest = std::max(latest, choice.epochs[group]);
    }
  }
  return latest;
}

}  // namespace softwood
