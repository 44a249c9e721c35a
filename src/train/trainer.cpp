#include "train/trainer.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/random.h"
#include "softwood/error.h"
#include "train/blend.h"
#include "train/raw_outputs.h"

namespace softwood {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// Threads at work on several groups at once, and inside each.
struct ThreadPlan {
  int groups, inside;
};

ThreadPlan plan_threads(int threads, std::size_t num_groups) {
  const int available = ThreadTeam::resolve(threads);
  const int groups = std::min(available, static_cast<int>(num_groups));
  return {groups, available / groups};
}

}  // namespace

Trainer::Trainer(const Settings& settings, const std::vector<Task>& tasks,
                 std::vector<Plant> plants, const Examples& training, const Examples& validation,
                 const Hooks& hooks)
    : settings_(settings),
      tasks_(tasks),
      training_(training),
      validation_(validation),
      hooks_(hooks),
      team_(plan_threads(settings.threads, plants.size()).groups),
      best_(0) {
  const ThreadPlan plan = plan_threads(settings.threads, plants.size());
  for (std::size_t group = 0; group < plants.size(); ++group) {
    groups_.push_back(std::make_unique<GroupTrainer>(settings, settings.groups[group], tasks,
                                                     std::move(plants[group]), training, validation,
                                                     plan.inside));
  }
}

void Trainer::run() {
  start_ = last_told_ = Clock::now();
  for (int epoch = 1; epoch <= settings_.epochs && !unfinished().empty(); ++epoch) {
    const bool whole = run_epoch(epoch);
    if (!whole && !history_.empty()) break;  // the best of the epochs before is kept
    history_.push_back(finish_epoch(epoch));
    whole_epochs_ += whole ? 1 : 0;
    const bool go_on = !hooks_.on_epoch || hooks_.on_epoch(progress(epoch), history_.back());
    if (!whole || !go_on) break;
  }
  weigh_groups();
}

std::vector<GroupTrainer*> Trainer::unfinished() const {
  std::vector<GroupTrainer*> groups;
  for (const auto& group : groups_) {
    if (!group->is_finished()) groups.push_back(group.get());
  }
  return groups;
}

/// False if a hook stopped it halfway.
bool Trainer::run_epoch(int epoch) {
  std::vector<std::uint32_t> order(training_.size());
  std::iota(order.begin(), order.end(), 0U);
  RandomStream(settings_.seed, "shuffle", epoch).shuffle(order);
  const std::vector<GroupTrainer*> groups = unfinished();
  steps_planned_ = static_cast<double>(groups.size() * settings_.steps_per_epoch);
  steps_done_ = 0;
  epochs_planned_ = epoch;
  for (const GroupTrainer* group : groups) {
    epochs_planned_ = std::max(epochs_planned_, group->planned_epochs());
  }
  team_.for_each(groups.size(), [&](std::size_t group) {
    groups[group]->run_epoch(epoch, order, [&] {
      ++steps_done_;
      return tell_progress(epoch);
    });
    groups[group]->finish_epoch(epoch);
  });
  return !stopped_;
}

EpochResult Trainer::finish_epoch(int epoch) {
  EpochResult result;
  result.epoch = epoch;
  result.learning_rate = groups_.front()->learning_rate();
  result.training_loss.assign(tasks_.size(), 0.0);
  for (const auto& group : groups_) {
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      result.training_loss[task] +=
          group->training_losses()[task] / static_cast<double>(groups_.size());
    }
  }
  double total = -epoch;  // without validation rows the last epoch is the best
  if (validation_.size() > 0) {
    result.validation_loss = mean_losses(tasks_, validation_, in_units(tasks_, mean_scores()));
    total = total_loss(tasks_, validation_, result.validation_loss);
  }
  result.best = best_.observe(epoch, total);
  result.seconds = seconds_between(start_, Clock::now());
  return result;
}

/// The validation rows' g if all groups weighed alike.
std::vector<double> Trainer::mean_scores() const {
  std::vector<double> mean(groups_.front()->scores().size(), 0.0);
  for (const auto& group : groups_) {
    const std::vector<double>& scores =
        group->is_finished() ? group->best_scores() : group->scores();
    if (scores.empty()) continue;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += scores[i] / static_cast<double>(groups_.size());
    }
  }
  return mean;
}

void Trainer::weigh_groups() {
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    outcomes_.push_back({.is_narrow = settings_.groups[group].is_narrow,
                         .num_trees = groups_[group]->ensemble().shape().num_trees(),
                         .best_epoch = groups_[group]->best_epoch(),
                         .weights = std::vector<double>(tasks_.size(), 0.0)});
  }
  const std::vector<std::size_t> chosen = choose_groups();
  for (std::size_t task = 0; task < tasks_.size(); ++task) {
    std::vector<double> weights(chosen.size(), 1 / static_cast<double>(chosen.size()));
    if (chosen.size() > 1 && validation_.size() > 0) {
      std::vector<std::span<const double>> scores;
      for (const std::size_t group : chosen) scores.emplace_back(groups_[group]->best_scores());
      weights = find_blend(tasks_[task], validation_.tasks[task], validation_.weights, scores);
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) outcomes_[chosen[i]].weights[task] = weights[i];
  }
}

/// Those that had a finite validation loss; of few trees the better group.
std::vector<std::size_t> Trainer::choose_groups() const {
  std::vector<std::size_t> sound;
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    if (!groups_[group]->best_values().empty()) sound.push_back(group);
  }
  if (sound.empty()) {
    throw Error(
        "the validation loss was never finite. Check the response and the loss, or lower "
        "--learning-rate.");
  }
  if (!settings_.one_group) return sound;
  return {*std::min_element(sound.begin(), sound.end(), [&](std::size_t a, std::size_t b) {
    return groups_[a]->best_loss() < groups_[b]->best_loss();
  })};
}

Plant Trainer::blended() const {
  EnsembleShape shape = groups_.front()->ensemble().shape();
  shape.bundles.clear();
  AlignedVector<float> values;
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    if (!outcomes_[index].has_a_say()) continue;
    const std::vector<double>& weights = outcomes_[index].weights;
    const Ensemble& ensemble = groups_[index]->ensemble();
    AlignedVector<float> part = groups_[index]->best_values();
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      scale_leaves(ensemble, tasks_[task].first_output, tasks_[task].num_outputs(), weights[task],
                   part);
    }
    shape.bundles.insert(shape.bundles.end(), ensemble.shape().bundles.begin(),
                         ensemble.shape().bundles.end());
    values.insert(values.end(), part.begin(), part.end());
  }
  return {Ensemble(std::move(shape)), std::move(values)};
}

std::vector<double> Trainer::validation_losses() const {
  if (validation_.size() == 0) return {};
  std::vector<double> g(groups_.front()->scores().size(), 0.0);
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    const std::vector<double>& scores = groups_[index]->best_scores();
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      const double weight = outcomes_[index].weights[task];
      if (weight == 0) continue;
      const std::size_t first = tasks_[task].first_output * validation_.size();
      const std::size_t count = tasks_[task].num_outputs() * validation_.size();
      for (std::size_t i = first; i < first + count; ++i) g[i] += weight * scores[i];
    }
  }
  return mean_losses(tasks_, validation_, in_units(tasks_, std::move(g)));
}

int Trainer::best_epoch() const {
  int latest = 0;
  for (const GroupOutcome& outcome : outcomes_) {
    if (outcome.has_a_say()) latest = std::max(latest, outcome.best_epoch);
  }
  return latest;
}

bool Trainer::tell_progress(int epoch) {
  if (!hooks_.on_progress) return true;
  const std::lock_guard lock(hook_mutex_);
  if (stopped_) return false;
  const Clock::time_point now = Clock::now();
  if (seconds_between(last_told_, now) < 0.1) return true;
  last_told_ = now;
  if (!hooks_.on_progress(progress(epoch))) stopped_ = true;
  return !stopped_;
}

Progress Trainer::progress(int epoch) const {
  Progress progress;
  progress.epoch = epoch;
  progress.epochs = epochs_planned_;
  progress.seconds = seconds_between(start_, Clock::now());
  const double passes = epoch - 1 + static_cast<double>(steps_done_) / steps_planned_;
  progress.fraction = passes / epochs_planned_;
  progress.rows_per_second =
      passes * static_cast<double>(training_.size()) / std::max(progress.seconds, 1e-9);
  progress.seconds_left =
      progress.seconds * (1 - progress.fraction) / std::max(progress.fraction, 1e-9);
  return progress;
}

}  // namespace softwood
