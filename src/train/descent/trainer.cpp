#include "train/descent/trainer.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "softwood/error.h"
#include "task/raw_outputs.h"
#include "train/descent/examples_loss.h"
#include "train/descent/state_check.h"

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

Trainer::Trainer(const Settings& settings, const Tasks& tasks, std::vector<MemberRun> members,
                 const Examples& judged, std::optional<std::span<const double>> linear,
                 const Hooks& hooks)
    : settings_(settings),
      tasks_(tasks),
      judged_(judged),
      has_linear_(linear.has_value()),
      hooks_(hooks),
      members_(std::move(members)),
      constant_losses_(
          constant_losses(tasks, judged.size() > 0 ? judged : members_[0].rows->training)),
      team_(plan_threads(settings.threads, members_.size() * members_[0].groups.size()).groups) {
  const std::size_t num_groups = members_[0].groups.size();
  std::vector<EngineGroup> groups;
  std::vector<std::vector<GroupCopy>> copies(num_groups);
  for (std::size_t index = 0; index < num_groups; ++index) {
    for (const MemberRun& member : members_) {
      const PreparedGroup& prepared = member.groups[index];
      const TrainingAndValidation& rows = prepared.group.learns_rest ? *member.rest : *member.rows;
      copies[index].push_back({&prepared, groups.size(), &rows.training, &rows.validation});
      groups.push_back({&prepared, &rows.training, &rows.validation});
    }
  }
  engine_ = make_engine(groups, team_, plan_threads(settings.threads, groups.size()).inside);
  // The engine has copied them into its states.
  for (MemberRun& member : members_) {
    for (PreparedGroup& group : member.groups) group.initial.parameters = AlignedVector<float>();
  }
  for (std::vector<GroupCopy>& each : copies)
    groups_.push_back(std::make_unique<GroupRun>(std::move(each), judged, *engine_));
  kept_.emplace(groups_, tasks_, judged_, linear,
                BlendRules{.one_group = settings.one_group,
                           .is_wary = members_.size() > 1,
                           .usual = settings.usual_weights,
                           .pull_rows = settings.pull_rows});
  if (!settings.starts_warm || judged.size() == 0) return;
  team_.for_each(groups_.size(), [&](std::size_t index) { groups_[index]->observe_start(); });
}

Trainer::Halt Trainer::advance(const std::function<bool()>& pause) {
  stopped_ = false;
  while (!unfinished().empty()) {
    run_steps(pause);
    is_within_epoch_ = true;
    if (stopped_) return Halt::stop;
    if (paused_) return Halt::rest;
    if (pause && epoch_ >= settings_.epochs && !rested_at_the_end_) {
      rested_at_the_end_ = true;
      return Halt::rest;
    }
    finish_groups();
    history_.push_back(finish_epoch());
    ++whole_epochs_;
    const bool go_on = !hooks_.on_epoch || hooks_.on_epoch(progress(), history_.back());
    ++epoch_;
    is_within_epoch_ = false;
    if (!go_on && !unfinished().empty()) return Halt::stop;
  }
  settle();
  return Halt::ended;
}

void Trainer::conclude() {
  if (is_within_epoch_) {
    team_.for_each(chapter_.size(),
                   [&](std::size_t index) { engine_->validate(chapter_[index].group); });
    finish_groups();
    history_.push_back(finish_epoch());
    // Later on, nobody asked to hear more.
    if (epoch_ == 1 && hooks_.on_epoch) hooks_.on_epoch(progress(), history_.back());
    is_within_epoch_ = false;
  }
  settle();
}

void Trainer::settle() {
  kept_->expect_sound();
  kept_->settle(team_);
  tell_outcomes();
  settle_history();
}

std::vector<GroupRun*> Trainer::unfinished() const {
  std::vector<GroupRun*> groups;
  for (const auto& group : groups_) {
    if (!group->is_finished()) groups.push_back(group.get());
  }
  return groups;
}

/// Of the epoch, those that are left.
void Trainer::run_steps(const std::function<bool()>& pause) {
  plan_chapter();
  paused_ = false;
  engine_->run(chapter_, [&] {
    ++steps_done_;
    if (pause && pause()) paused_ = true;
    return tell_progress() && !paused_;
  });
}

void Trainer::finish_groups() {
  const std::vector<GroupRun*> groups = unfinished();
  team_.for_each(groups.size(), [&](std::size_t index) { groups[index]->finish_epoch(epoch_); });
}

/// Members shuffle their rows each by its own seed; the groups of a member all in the same order.
void Trainer::plan_chapter() {
  const std::vector<GroupRun*> groups = unfinished();
  orders_.resize(members_.size());
  for (std::size_t member = 0; member < members_.size(); ++member) {
    orders_[member].resize(members_[member].rows->training.size());
    std::iota(orders_[member].begin(), orders_[member].end(), 0U);
    RandomStream(members_[member].groups[0].settings.seed, "shuffle", epoch_)
        .shuffle(orders_[member]);
  }
  parts_.resize(groups.size() * members_.size());
  chapter_.clear();
  std::size_t done = 0, planned = 0;
  epochs_planned_ = epoch_;
  for (const GroupRun* group : groups) {
    for (std::size_t member = 0; member < members_.size(); ++member) {
      chapter_.push_back(group->batches(member, epoch_, orders_[member], parts_[chapter_.size()]));
      done += chapter_.back().first;
      planned += group->settings().steps_per_epoch;
    }
    epochs_planned_ = std::max(epochs_planned_, group->planned_epochs());
  }
  steps_done_ = done;
  steps_planned_ = static_cast<double>(planned);
}

RunState Trainer::state() const {
  RunState state{.epoch = epoch_,
                 .whole_epochs = whole_epochs_,
                 .groups = {},
                 .kept = kept_->state(),
                 .history = history_};
  for (const auto& group : groups_) state.groups.push_back(group->state());
  return state;
}

void Trainer::set_state(RunState state) {
  std::vector<GroupFrame> frames;
  for (const auto& group : groups_)
    frames.push_back(
        {group->tasks().num_outputs() * judged_.size(), group->settings().steps_per_epoch});
  expect_state_of_run(state, this->state(), frames);
  epoch_ = state.epoch;
  whole_epochs_ = state.whole_epochs;
  for (std::size_t index = 0; index < groups_.size(); ++index)
    groups_[index]->set_state(std::move(state.groups[index]));
  kept_->set_state(std::move(state.kept));
  history_ = std::move(state.history);
  is_within_epoch_ = false;
  expect_kept_trees();
}

/// What counts in a task is there.
void Trainer::expect_kept_trees() const {
  for (const Task& task : tasks_) {
    for (std::size_t index = 0; index < groups_.size(); ++index) {
      const auto place = groups_[index]->find_task(task);
      const bool is_there = place && groups_[index]->best(*place) != nullptr;
      if (kept_->weight(index, task) != 0 && !is_there)
        throw Error("the saved state counts trees that it does not have.");
    }
  }
}

EpochResult Trainer::finish_epoch() {
  kept_->update(epoch_, team_);
  if (unfinished().empty()) kept_->settle(team_);
  EpochResult result;
  result.epoch = epoch_;
  result.learning_rate = groups_.front()->learning_rate();
  result.training_loss = mean_training_losses();
  result.validation_loss = kept_->losses_now();
  result.best_validation_loss = kept_->losses();
  result.constant_loss = constant_losses_;
  result.best_epoch = kept_->best_epoch();
  result.best = result.best_epoch == epoch_;
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
    const GroupRun& group = *groups_[index];
    GroupRecord& outcome = outcomes_.emplace_back(
        GroupRecord{.kind = group.group().is_narrow ? GroupKind::narrow : GroupKind::wide,
                    .is_private = group.tasks().size() < tasks_.size(),
                    .learns_rest = group.group().learns_rest,
                    .num_trees = group.ensemble(0).shape().num_trees(),
                    .learning_rate = group.group().learning_rate,
                    .batch_size = group.settings().batch_size,
                    .shares = std::vector<GroupRecord::Share>(tasks_.size())});
    for (const Task& task : tasks_) {
      const auto place = group.find_task(task);
      GroupRecord::Share& share = outcome.shares[task.index_in_model];
      share.takes_part = place.has_value();
      share.weight = kept_->weight(index, task);
      if (share.weight != 0) share.best_epoch = group.best(*place)->epoch;
    }
  }
  if (!has_linear_) return;
  GroupRecord& linear =
      outcomes_.emplace_back(GroupRecord{.kind = GroupKind::linear, .shares = {}});
  for (const Task& task : tasks_) {
    linear.shares.push_back(
        {.takes_part = true, .weight = kept_->weight(groups_.size(), task), .best_epoch = 0});
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

BlendedTrees Trainer::blended(std::size_t member) const {
  EnsembleShape shape = groups_.front()->ensemble(member).shape();
  shape.bundles.clear();
  shape.num_outputs = tasks_.num_outputs();
  AlignedVector<float> values;
  std::vector<std::uint32_t> group_of_bundle;
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    add_group(index, member, shape, values);
    group_of_bundle.resize(shape.bundles.size(), static_cast<std::uint32_t>(index));
  }
  return {Ensemble(std::move(shape)), std::move(values), std::move(group_of_bundle)};
}

double Trainer::linear_weight(const Task& task) const {
  if (!has_linear_) return 0;
  double weight = kept_->weight(groups_.size(), task);
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    if (groups_[index]->group().learns_rest) weight += kept_->weight(index, task);
  }
  return weight;
}

/// Its trees as they were in each of the epochs that tasks keep, with the leaves of those tasks.
void Trainer::add_group(std::size_t index, std::size_t member, EnsembleShape& shape,
                        AlignedVector<float>& values) const {
  const GroupRun& group = *groups_[index];
  const Ensemble& ensemble = group.ensemble(member);
  for (const int epoch : outcomes_[index].best_epochs()) {
    AlignedVector<float> kept;
    OutputRange range;  // from the first to the last output of those tasks
    for (std::size_t place = 0; place < group.tasks().size(); ++place) {
      if (keeps(index, place, epoch)) {
        const Task& task = group.tasks()[place];
        if (kept.empty()) range.first = task.first_output;
        range.count = task.first_output + task.num_outputs() - range.first;
        kept = group.best(place)->values[member];
      }
    }
    for (std::size_t place = 0; place < group.tasks().size(); ++place) {
      const Task& task = group.tasks()[place];
      const double weight =
          keeps(index, place, epoch) ? outcomes_[index].shares[task.index_in_model].weight : 0.0;
      scale_leaves(ensemble, task.first_output, task.num_outputs(), weight, kept);
    }
    const std::size_t shift = tasks_[group.tasks()[0].index_in_model].first_output;
    append_trees(ensemble, kept, range, shift, shape, values);
  }
}

/// The task at `place` of a group takes these trees from that epoch.
bool Trainer::keeps(std::size_t index, std::size_t place, int epoch) const {
  const GroupRun& group = *groups_[index];
  return outcomes_[index].shares[group.tasks()[place].index_in_model].weight != 0 &&
         group.best(place)->epoch == epoch;
}

bool Trainer::tell_progress() {
  if (!hooks_.on_progress) return true;
  const std::lock_guard lock(hook_mutex_);
  if (stopped_) return false;
  const Clock::time_point now = Clock::now();
  if (seconds_between(last_told_, now) < 0.1) return true;
  last_told_ = now;
  if (!hooks_.on_progress(progress())) stopped_ = true;
  return !stopped_;
}

Progress Trainer::progress() const {
  Progress progress;
  progress.epoch = epoch_;
  progress.epochs = epochs_planned_;
  progress.members = static_cast<int>(members_.size());
  progress.seconds = seconds_between(start_, Clock::now());
  const double passes = epoch_ - 1 + static_cast<double>(steps_done_) / steps_planned_;
  progress.fraction = passes / epochs_planned_;
  progress.rows_per_second =
      passes * static_cast<double>(members_[0].rows->training.size() * members_.size()) /
      std::max(progress.seconds, 1e-9);
  progress.seconds_left =
      progress.seconds * (1 - progress.fraction) / std::max(progress.fraction, 1e-9);
  return progress;
}

}  // namespace softwood
