#include "train/descent/trainer.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "task/raw_outputs.h"
#include "train/descent/examples_loss.h"

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

/// What the trees add to some of their outputs, which are counted from `shift` in `shape`.
void append_trees(const Ensemble& ensemble, std::span<const float> from, const OutputRange& range,
                  std::size_t shift, EnsembleShape& shape, AlignedVector<float>& values) {
  for (std::size_t index = 0; index < ensemble.shape().bundles.size(); ++index) {
    Bundle bundle = ensemble.shape().bundles[index];
    const std::size_t first = std::max(range.first, bundle.first_output);
    const std::size_t end =
        std::min(range.first + range.count, bundle.first_output + bundle.num_outputs);
    if (first >= end) continue;
    const std::vector<float> part = part_of_bundle(ensemble, index, {first, end - first}, from);
    const BundleLayout& layout = ensemble.layout(index);
    const auto leaves = part.begin() + static_cast<std::ptrdiff_t>(layout.leaves - layout.begin());
    if (std::all_of(leaves, part.end(), [](float leaf) { return leaf == 0; })) continue;
    values.insert(values.end(), part.begin(), part.end());
    bundle.first_output = first + shift;
    bundle.num_outputs = end - first;
    shape.bundles.push_back(std::move(bundle));
  }
}

}  // namespace

Trainer::Trainer(const Settings& settings, const Tasks& tasks, std::vector<PreparedGroup> prepared,
                 const Examples& training, const Examples& validation, const Hooks& hooks)
    : settings_(settings),
      tasks_(tasks),
      training_(training),
      validation_(validation),
      hooks_(hooks),
      constant_losses_(constant_losses(tasks, validation.size() > 0 ? validation : training)),
      team_(plan_threads(settings.threads, prepared.size()).groups) {
  const ThreadPlan plan = plan_threads(settings.threads, prepared.size());
  for (PreparedGroup& group : prepared) {
    groups_.push_back(
        std::make_unique<GroupTrainer>(std::move(group), training, validation, plan.inside));
  }
  kept_.emplace(groups_, tasks_, validation_, settings.one_group);
}

void Trainer::run() {
  start_ = last_told_ = Clock::now();
  for (int epoch = 1; !unfinished().empty(); ++epoch) {
    const bool whole = run_epoch(epoch);
    history_.push_back(finish_epoch(epoch));
    if (!whole && epoch > 1) break;  // nobody asked to hear more
    whole_epochs_ += whole ? 1 : 0;
    const bool go_on = !hooks_.on_epoch || hooks_.on_epoch(progress(epoch), history_.back());
    if (!whole || !go_on) break;
  }
  kept_->expect_sound();
  kept_->settle(team_);
  tell_outcomes();
  settle_history();
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
  steps_planned_ = 0;
  steps_done_ = 0;
  epochs_planned_ = epoch;
  for (const GroupTrainer* group : groups) {
    steps_planned_ += static_cast<double>(group->settings().steps_per_epoch);
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
  kept_->update(epoch, team_);
  if (unfinished().empty()) kept_->settle(team_);
  EpochResult result;
  result.epoch = epoch;
  result.learning_rate = groups_.front()->learning_rate();
  result.training_loss = mean_training_losses();
  result.validation_loss = kept_->losses_now();
  result.best_validation_loss = kept_->losses();
  result.constant_loss = constant_losses_;
  result.best_epoch = kept_->best_epoch();
  result.best = result.best_epoch == epoch;
  result.seconds = seconds_between(start_, Clock::now());
  return result;
}

std::vector<double> Trainer::mean_training_losses() const {
  std::vector<double> losses;
  for (const Task& task : tasks_) {
    double sum = 0;
    int count = 0;
    for (const auto& group : groups_) {
      const auto place = group->find_task(task);
      if (!place) continue;
      sum += group->training_losses()[*place];
      ++count;
    }
    losses.push_back(sum / count);
  }
  return losses;
}

void Trainer::tell_outcomes() {
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    const GroupTrainer& group = *groups_[index];
    GroupOutcome& outcome = outcomes_.emplace_back(
        GroupOutcome{.is_narrow = group.group().is_narrow,
                     .is_private = group.tasks().size() < tasks_.size(),
                     .num_trees = group.ensemble().shape().num_trees(),
                     .learning_rate = group.group().learning_rate,
                     .batch_size = group.settings().batch_size,
                     .shares = std::vector<GroupOutcome::Share>(tasks_.size())});
    for (const Task& task : tasks_) {
      const auto place = group.find_task(task);
      GroupOutcome::Share& share = outcome.shares[task.index_in_model];
      share.takes_part = place.has_value();
      share.weight = kept_->weight(index, task);
      if (share.weight != 0) share.best_epoch = group.best(*place)->epoch;
    }
  }
}

/// The last line is what is saved, and no epoch after the best one is called so: weights found anew
/// may throw a group out, and with it the epoch that was the best then.
void Trainer::settle_history() {
  history_.back().best_validation_loss = kept_->losses();
  history_.back().best_epoch = best_epoch();
  for (EpochResult& result : history_) {
    if (result.epoch >= best_epoch()) result.best = result.epoch == best_epoch();
  }
}

BlendedTrees Trainer::blended() const {
  EnsembleShape shape = groups_.front()->ensemble().shape();
  shape.bundles.clear();
  shape.num_outputs = tasks_.num_outputs();
  AlignedVector<float> values;
  std::vector<std::uint32_t> group_of_bundle;
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    add_group(index, shape, values);
    group_of_bundle.resize(shape.bundles.size(), static_cast<std::uint32_t>(index));
  }
  return {Ensemble(std::move(shape)), std::move(values), std::move(group_of_bundle)};
}

/// Its trees as they were in each of the epochs that tasks keep, with the leaves of those tasks.
void Trainer::add_group(std::size_t index, EnsembleShape& shape,
                        AlignedVector<float>& values) const {
  const GroupTrainer& group = *groups_[index];
  for (const int epoch : outcomes_[index].best_epochs()) {
    AlignedVector<float> kept;
    OutputRange range;  // from the first to the last output of those tasks
    for (std::size_t place = 0; place < group.tasks().size(); ++place) {
      if (keeps(index, place, epoch)) {
        const Task& task = group.tasks()[place];
        if (kept.empty()) range.first = task.first_output;
        range.count = task.first_output + task.num_outputs() - range.first;
        kept = group.best(place)->values;
      }
    }
    for (std::size_t place = 0; place < group.tasks().size(); ++place) {
      const Task& task = group.tasks()[place];
      const double weight =
          keeps(index, place, epoch) ? outcomes_[index].shares[task.index_in_model].weight : 0.0;
      scale_leaves(group.ensemble(), task.first_output, task.num_outputs(), weight, kept);
    }
    const std::size_t shift = tasks_[group.tasks()[0].index_in_model].first_output;
    append_trees(group.ensemble(), kept, range, shift, shape, values);
  }
}

/// The task at `place` of a group takes these trees from that epoch.
bool Trainer::keeps(std::size_t index, std::size_t place, int epoch) const {
  const GroupTrainer& group = *groups_[index];
  return outcomes_[index].shares[group.tasks()[place].index_in_model].weight != 0 &&
         group.best(place)->epoch == epoch;
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
