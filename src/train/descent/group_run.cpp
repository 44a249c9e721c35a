#include "train/descent/group_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "task/raw_outputs.h"
#include "train/descent/examples_loss.h"
#include "train/engine/optimizer.h"

namespace softwood {
namespace {

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

GroupRun::GroupRun(const PreparedGroup& prepared, std::size_t index, const Examples& training,
                   const Examples& validation, Engine& engine)
    : prepared_(prepared),
      index_(index),
      validation_(validation),
      engine_(engine),
      has_response_(rows_with_a_response(prepared.tasks, training)),
      best_(constant_losses(prepared.tasks, validation), stop_shares(prepared.tasks, validation),
            prepared.settings.one_epoch_for_all),
      cycles_(prepared.settings.cycle_epochs, best_.starting_total()) {}

std::optional<std::size_t> GroupRun::find_task(const Task& task) const {
  for (std::size_t index = 0; index < tasks().size(); ++index) {
    if (tasks()[index].index_in_model == task.index_in_model) return index;
  }
  return std::nullopt;
}

std::span<const double> GroupRun::scores_of(std::size_t task,
                                            std::span<const double> scores) const {
  const std::size_t num_rows = validation_.size();
  return scores.subspan(tasks()[task].first_output * num_rows,
                        tasks()[task].num_outputs() * num_rows);
}

GroupBatches GroupRun::batches(int epoch, std::span<const std::uint32_t> order,
                               std::vector<std::uint32_t>& rows) const {
  if (!has_response_.empty()) {
    rows.clear();
    std::copy_if(order.begin(), order.end(), std::back_inserter(rows),
                 [&](std::uint32_t row) { return has_response_[row]; });
    order = rows;
  }
  const std::size_t per_epoch = settings().steps_per_epoch;
  const std::size_t first =
      engine_.steps_done(index_) - static_cast<std::size_t>(epoch - 1) * per_epoch;
  return {.group = index_,
          .epoch = epoch,
          .rows = order,
          .first = first,
          .count = per_epoch - first,
          .then_validate = true};
}

void GroupRun::finish_epoch(int epoch) {
  training_losses_ = engine_.take_training_losses(index_);
  const std::span<const double> scores = engine_.validation_scores(index_);
  scores_.assign(scores.begin(), scores.end());
  const auto snapshot = [&] {
    const std::span<const float> values = engine_.averaged_values(index_);
    return Snapshot{epoch, {values.begin(), values.end()}, scores_};
  };
  if (validation_.size() > 0) {
    best_.observe(epoch, mean_losses(tasks(), validation_, in_units(tasks(), scores_)), snapshot);
  } else {
    best_.observe_unseen(snapshot);
  }
  is_finished_ = epoch >= settings().epochs || (validation_.size() > 0 && gains_no_more(epoch));
}

bool GroupRun::gains_no_more(int epoch) {
  const bool no_patience =
      settings().patience > 0 && epoch - best_.latest_gain() >= settings().patience;
  return cycles_.should_stop(epoch, best_.best_total(), best_.possible_gain()) || no_patience;
}

int GroupRun::planned_epochs() const {
  const int next = cycles_.next_stop();
  const bool to_the_end = next == 0 || validation_.size() == 0 || settings().epochs_are_given;
  return to_the_end ? settings().epochs : std::min(next, settings().epochs);
}

double GroupRun::learning_rate() const {
  const auto num_steps = settings().steps_per_epoch * static_cast<std::size_t>(settings().epochs);
  return group().learning_rate * settings().schedule.factor(engine_.steps_done(index_), num_steps);
}

GroupState GroupRun::state() const {
  return {.descent = engine_.export_state(index_),
          .best = best_.state(),
          .cycles = cycles_.state(),
          .training_losses = training_losses_,
          .scores = scores_,
          .is_finished = is_finished_};
}

void GroupRun::set_state(GroupState state) {
  engine_.import_state(index_, std::move(state.descent));
  best_.set_state(std::move(state.best));
  cycles_.set_state(state.cycles);
  training_losses_ = std::move(state.training_losses);
  scores_ = std::move(state.scores);
  is_finished_ = state.is_finished;
}

}  // namespace softwood
