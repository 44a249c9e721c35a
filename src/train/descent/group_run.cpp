#include "train/descent/group_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "task/raw_outputs.h"
#include "train/descent/examples_loss.h"
#include "train/engine/optimizer.h"

namespace softwood {
namespace {

/// Of the best epoch, where members are averaged.
constexpr double kToleranceOfMembers = 0.06;

/// Empty if all have one.
std::vector<bool> rows_with_a_response(const Tasks& tasks, const Examples& examples) {
  std::vector<bool> marks(examples.size(), false);
  for (const Task& task : tasks) {
    const std::vector<double>& y = examples.responses[task.index_in_model].y;
    for (std::size_t row = 0; row < y.size(); ++row) {
      if (!std::isnan(y[row])) marks[row] = true;
    }
  }
  if (std::find(marks.begin(), marks.end(), false) == marks.end()) marks.clear();
  return marks;
}

}  // namespace

GroupRun::GroupRun(std::vector<GroupCopy> copies, const Examples& judged, Engine& engine)
    : copies_(std::move(copies)),
      judged_(judged),
      engine_(engine),
      best_(constant_losses(tasks(), judged), stop_shares(tasks(), judged),
            {.one_for_all = settings().one_epoch_for_all,
             .tolerance =
                 copies_.size() > 1 && !settings().stands_on_lost_rows ? kToleranceOfMembers : 0}),
      cycles_(settings().cycle_epochs, best_.starting_total()) {
  for (const GroupCopy& copy : copies_)
    has_response_.push_back(rows_with_a_response(tasks(), *copy.training));
}

std::optional<std::size_t> GroupRun::find_task(const Task& task) const {
  for (std::size_t index = 0; index < tasks().size(); ++index) {
    if (tasks()[index].index_in_model == task.index_in_model) return index;
  }
  return std::nullopt;
}

std::span<const double> GroupRun::scores_of(std::size_t task,
                                            std::span<const double> scores) const {
  const std::size_t num_rows = judged_.size();
  return scores.subspan(tasks()[task].first_output * num_rows,
                        tasks()[task].num_outputs() * num_rows);
}

GroupBatches GroupRun::batches(std::size_t member, int epoch, std::span<const std::uint32_t> order,
                               std::vector<std::uint32_t>& rows) const {
  const std::vector<bool>& has_response = has_response_[member];
  if (!has_response.empty()) {
    rows.clear();
    std::copy_if(order.begin(), order.end(), std::back_inserter(rows),
                 [&](std::uint32_t row) { return has_response[row]; });
    order = rows;
  }
  const std::size_t index = copies_[member].index;
  const std::size_t per_epoch = settings().steps_per_epoch;
  const std::size_t first =
      engine_.steps_done(index) - static_cast<std::size_t>(epoch - 1) * per_epoch;
  return {.group = index,
          .epoch = epoch,
          .rows = order,
          .first = first,
          .count = per_epoch - first,
          .then_validate = true};
}

void GroupRun::finish_epoch(int epoch) {
  gather_training_losses();
  gather_scores();
  const auto take = [&] { return snapshot(epoch); };
  if (judged_.size() > 0) {
    best_.observe(epoch, mean_losses(tasks(), judged_, in_units(tasks(), scores_)), take);
  } else {
    best_.observe_unseen(take);
  }
  is_finished_ = epoch >= settings().epochs || (judged_.size() > 0 && gains_no_more(epoch));
}

void GroupRun::observe_start() {
  for (const GroupCopy& copy : copies_) engine_.validate(copy.index);
  gather_scores();
  best_.observe(0, mean_losses(tasks(), judged_, in_units(tasks(), scores_)),
                [&] { return snapshot(0); });
  scores_.clear();
}

/// The mean over the members.
void GroupRun::gather_training_losses() {
  training_losses_.assign(tasks().size(), 0.0);
  for (const GroupCopy& copy : copies_) {
    const std::vector<double> losses = engine_.take_training_losses(copy.index);
    for (std::size_t task = 0; task < losses.size(); ++task)
      training_losses_[task] += losses[task] / static_cast<double>(copies_.size());
  }
}

/// What the members' trees add to the base, each on its own validation rows.
void GroupRun::gather_scores() {
  scores_.resize(tasks().num_outputs() * judged_.size());
  std::size_t first = 0;
  for (const GroupCopy& copy : copies_) {
    const std::span<const double> own = engine_.validation_scores(copy.index);
    const std::size_t num_rows = copy.validation->size();
    for (const Task& task : tasks()) {
      for (std::size_t output = 0; output < task.num_outputs(); ++output) {
        const double* const from = own.data() + (task.first_output + output) * num_rows;
        double* const to = scores_.data() + (task.first_output + output) * judged_.size() + first;
        std::copy_n(from, num_rows, to);
        if (copy.validation->base.empty()) continue;
        const double* const base =
            copy.validation->base[task.index_in_model].data() + output * num_rows;
        for (std::size_t row = 0; row < num_rows; ++row) to[row] += base[row];
      }
    }
    first += num_rows;
  }
}

Snapshot GroupRun::snapshot(int epoch) const {
  Snapshot snapshot{.epoch = epoch, .values = {}, .scores = scores_};
  for (const GroupCopy& copy : copies_) {
    const std::span<const float> values = engine_.averaged_values(copy.index);
    snapshot.values.emplace_back(values.begin(), values.end());
  }
  return snapshot;
}

bool GroupRun::gains_no_more(int epoch) {
  const bool no_patience =
      settings().patience > 0 && epoch - best_.latest_gain() >= settings().patience;
  return cycles_.should_stop(epoch, best_.best_total(), best_.possible_gain()) || no_patience;
}

int GroupRun::planned_epochs() const {
  const int next = cycles_.next_stop();
  const bool to_the_end = next == 0 || judged_.size() == 0 || settings().epochs_are_given;
  return to_the_end ? settings().epochs : std::min(next, settings().epochs);
}

double GroupRun::learning_rate() const {
  const auto num_steps = settings().steps_per_epoch * static_cast<std::size_t>(settings().epochs);
  return group().learning_rate *
         settings().schedule.factor(engine_.steps_done(copies_[0].index), num_steps);
}

GroupState GroupRun::state() const {
  GroupState state{.descents = {},
                   .best = best_.state(),
                   .cycles = cycles_.state(),
                   .training_losses = training_losses_,
                   .scores = scores_,
                   .is_finished = is_finished_};
  for (const GroupCopy& copy : copies_) state.descents.push_back(engine_.export_state(copy.index));
  return state;
}

void GroupRun::set_state(GroupState state) {
  for (std::size_t member = 0; member < copies_.size(); ++member)
    engine_.import_state(copies_[member].index, std::move(state.descents[member]));
  best_.set_state(std::move(state.best));
  cycles_.set_state(state.cycles);
  training_losses_ = std::move(state.training_losses);
  scores_ = std::move(state.scores);
  is_finished_ = state.is_finished;
}

}  // namespace softwood
