#include "train/descent/group_trainer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "softwood/error.h"
#include "task/raw_outputs.h"
#include "train/descent/examples_loss.h"
#include "tree/kernels/curves.h"

namespace softwood {
namespace {

/// Waking a thread costs some microseconds, so a small step is done by fewer. Changes no result.
int useful_threads(int available, const Settings& settings, const Ensemble& ensemble) {
  const double worth = GroupTrainer::step_microseconds(ensemble, settings.batch_size) / 30;
  return std::clamp(static_cast<int>(worth), 1,
                    std::min(available, static_cast<int>(ensemble.shape().bundles.size())));
}

std::vector<char> rows_with_a_response(const Tasks& tasks, const Examples& examples) {
  std::vector<char> marks(examples.size(), 0);
  for (const Task& task : tasks) {
    const std::vector<double>& y = examples.responses[task.index_in_model].y;
    for (std::size_t row = 0; row < y.size(); ++row) {
      if (!std::isnan(y[row])) marks[row] = 1;
    }
  }
  return marks;
}

}  // namespace

double GroupTrainer::step_microseconds(const Ensemble& ensemble, std::size_t batch_size) {
  // Look-ups per row, and the optimizer per parameter.
  double look_ups = 0;
  for (std::size_t index = 0; index < ensemble.shape().bundles.size(); ++index) {
    look_ups += static_cast<double>(ensemble.layout(index).num_blocks *
                                    ensemble.shape().bundles[index].columns.size());
  }
  return (look_ups * static_cast<double>(batch_size) * 1.6 +
          static_cast<double>(ensemble.buffer_size()) * 0.5) /
         1000;
}

GroupTrainer::GroupTrainer(PreparedGroup prepared, const Examples& training,
                           const Examples& validation, int threads)
    : settings_(std::move(prepared.settings)),
      group_(prepared.group),
      tasks_(std::move(prepared.tasks)),
      training_(training),
      validation_(validation),
      ensemble_(std::move(prepared.initial.ensemble)),
      team_(useful_threads(threads, settings_, ensemble_)),
      batch_(ensemble_.shape().columns, settings_.batch_size),
      loss_step_(tasks_, training, settings_.batch_size),
      used_columns_(ensemble_.shape().columns_in_use()),
      sums_(ensemble_.shape().num_outputs * settings_.batch_size),
      output_gradients_(sums_.size()),
      parameters_(std::move(prepared.initial.parameters)),
      values_(ensemble_.make_buffer()),
      gradients_(ensemble_.make_buffer()),
      first_moments_(ensemble_.make_buffer()),
      second_moments_(ensemble_.make_buffer()),
      averages_(parameters_),
      averaged_values_(ensemble_.make_buffer()),
      num_coupled_(prepared.initial.num_coupled),
      has_response_(rows_with_a_response(tasks_, training)),
      average_(settings_.average, settings_.steps_per_epoch),
      best_(constant_losses(tasks_, validation), stop_shares(tasks_, validation),
            settings_.one_epoch_for_all),
      cycles_(settings_.cycle_epochs, best_.starting_total()),
      num_steps_(settings_.steps_per_epoch * settings_.epochs) {
  for (std::size_t bundle = 0; bundle < ensemble_.shape().bundles.size(); ++bundle) {
    memories_.emplace_back(ensemble_, bundle, settings_.batch_size);
    bundle_sums_.emplace_back(ensemble_.shape().bundles[bundle].num_outputs * settings_.batch_size);
    curves_from_parameters(ensemble_, bundle, parameters_, values_);
  }
  gather_families();
}

void GroupTrainer::gather_families() {
  for (std::size_t first = 0; first < memories_.size(); first += num_coupled_) {
    Family& family = families_.emplace_back(Family{.first = first, .count = num_coupled_});
    if (num_coupled_ == 1) continue;
    family.strengths =
        coupling_strengths(ensemble_, first, settings_.share_strength, settings_.share_decay);
    const auto add = [&](CoupledPiece& piece, std::size_t offset, std::size_t size) {
      piece.parameters.push_back(parameters_.data() + offset);
      piece.averages.push_back(averages_.data() + offset);
      piece.second_moments.push_back(second_moments_.data() + offset);
      piece.size = size;
    };
    for (std::size_t bundle = first; bundle < first + num_coupled_; ++bundle) {
      const BundleLayout& layout = ensemble_.layout(bundle);
      add(family.weights, layout.weights, layout.weights_size);
      add(family.biases, layout.biases, layout.biases_size);
    }
  }
}

std::optional<std::size_t> GroupTrainer::find_task(const Task& task) const {
  for (std::size_t index = 0; index < tasks_.size(); ++index) {
    if (tasks_[index].index_in_model == task.index_in_model) return index;
  }
  return std::nullopt;
}

std::span<const double> GroupTrainer::scores_of(std::size_t task,
                                                std::span<const double> scores) const {
  const std::size_t num_rows = validation_.size();
  return scores.subspan(tasks_[task].first_output * num_rows,
                        tasks_[task].num_outputs() * num_rows);
}

void GroupTrainer::run_epoch(int epoch, std::span<const std::uint32_t> order,
                             const std::function<bool()>& go_on) {
  std::vector<std::uint32_t> rows;
  std::copy_if(order.begin(), order.end(), std::back_inserter(rows),
               [&](std::uint32_t row) { return has_response_[row] != 0; });
  for (std::size_t batch = 0; batch < settings_.steps_per_epoch; ++batch) {
    const auto [begin, end] = share_of(rows.size(), batch, settings_.steps_per_epoch);
    step(std::span(rows).subspan(begin, end - begin));
    if (const auto trouble = loss_step_.add_to_totals()) fail(epoch, batch + 1, *trouble);
    ++steps_done_;
    if (!go_on()) return;
  }
}

void GroupTrainer::step(std::span<const std::uint32_t> rows) {
  load_batch(rows);
  forward();
  evaluate_loss();
  backward();
}

void GroupTrainer::load_batch(std::span<const std::uint32_t> rows) {
  batch_.resize(rows.size());
  table_rows_.resize(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) table_rows_[row] = training_.rows[rows[row]];
  // The responses are one more piece of work beside the columns.
  team_.for_each(used_columns_.size() + 1, [&](std::size_t piece) {
    if (piece == 0) {
      loss_step_.load(rows);
    } else {
      batch_.load_column(used_columns_[piece - 1], training_.positions, table_rows_,
                         /*sorted=*/true);
    }
  });
}

void GroupTrainer::forward() {
  team_.for_each(memories_.size(), [&](std::size_t bundle) {
    const std::size_t num_outputs = ensemble_.shape().bundles[bundle].num_outputs;
    softwood::forward(ensemble_, bundle, values_, batch_, memories_[bundle], /*keep=*/true,
                      {bundle_sums_[bundle].data(), num_outputs, batch_.num_rows()});
  });
}

/// Sums the bundles in their order, whoever computed them, and evaluates the losses: threads share
/// rows.
void GroupTrainer::evaluate_loss() {
  const std::size_t num_rows = batch_.num_rows();
  const std::size_t num_outputs = ensemble_.shape().num_outputs;
  const MatrixView<double> sums(sums_.data(), num_outputs, num_rows);
  const MatrixView<float> gradients(output_gradients_.data(), num_outputs, num_rows);
  const auto num_parts = static_cast<std::size_t>(team_.size());
  team_.for_each(num_parts, [&](std::size_t part) {
    const auto [begin, end] = share_of(num_rows, part, num_parts);
    if (begin == end) return;
    for (std::size_t output = 0; output < num_outputs; ++output) {
      std::fill(&sums(output, begin), &sums(output, begin) + (end - begin), 0.0);
    }
    for (std::size_t index = 0; index < bundle_sums_.size(); ++index) {
      const Bundle& bundle = ensemble_.shape().bundles[index];
      for (std::size_t output = 0; output < bundle.num_outputs; ++output) {
        const float* from = bundle_sums_[index].data() + output * num_rows;
        double* to = &sums(bundle.first_output + output, 0);
        for (std::size_t row = begin; row < end; ++row) to[row] += from[row];
      }
    }
    loss_step_.evaluate(sums, begin, end, gradients);
  });
}

void GroupTrainer::backward() {
  const bool clipping = settings_.clip > 0;
  const double factor = settings_.schedule.factor(steps_done_, num_steps_);
  AdamStep splits = adam_step(factor * group_.learning_rate);
  AdamStep leaves = adam_step(factor * group_.leaf_learning_rate);
  splits.decay = static_cast<float>(splits.rate * group_.decay);
  splits.l2 = static_cast<float>(settings_.l2_splits);
  leaves.l2 = static_cast<float>(settings_.l2_leaves);
  team_.for_each(families_.size(), [&](std::size_t index) {
    const Family& family = families_[index];
    for (std::size_t i = 0; i < family.count; ++i) find_gradients(family.first + i);
    if (!clipping) update_family(family, splits, leaves);
  });
  if (!clipping) return;
  const double norm = gradient_norm();
  if (norm > settings_.clip) {
    splits.gradient_scale = leaves.gradient_scale = static_cast<float>(settings_.clip / norm);
  }
  team_.for_each(families_.size(),
                 [&](std::size_t index) { update_family(families_[index], splits, leaves); });
}

AdamStep GroupTrainer::adam_step(double rate) const {
  const double time = static_cast<double>(steps_done_ + 1);
  AdamStep step;
  step.rate = static_cast<float>(rate);
  step.beta1 = static_cast<float>(settings_.beta1);
  step.beta2 = static_cast<float>(settings_.beta2);
  step.m_correction = static_cast<float>(1 / (1 - std::pow(settings_.beta1, time)));
  step.v_correction = static_cast<float>(1 / (1 - std::pow(settings_.beta2, time)));
  step.average_weight = settings_.average > 0 ? average_.weight_at(steps_done_) : 0;
  return step;
}

void GroupTrainer::find_gradients(std::size_t index) {
  const Bundle& bundle = ensemble_.shape().bundles[index];
  const std::size_t num_rows = batch_.num_rows();
  const MatrixView<const float> output_gradients(
      output_gradients_.data() + bundle.first_output * num_rows, bundle.num_outputs, num_rows);
  softwood::backward(ensemble_, index, values_, batch_, memories_[index], output_gradients,
                     gradients_);
  gradients_of_parameters(ensemble_, index, gradients_);
}

void GroupTrainer::update_family(const Family& family, const AdamStep& splits,
                                 const AdamStep& leaves) {
  AdamStep first = splits;
  if (family.count > 1) first.average_weight = 0;  // the average is of what the coupling leaves
  for (std::size_t i = 0; i < family.count; ++i) update_bundle(family.first + i, first, leaves);
  if (family.count > 1) {
    const std::size_t stride = ensemble_.layout(family.first).block_stride / kLanes;
    couple(splits, family.strengths, stride, family.weights);
    couple(splits, family.strengths, 1, family.biases);
  }
  for (std::size_t i = 0; i < family.count; ++i) {
    curves_from_parameters(ensemble_, family.first + i, parameters_, values_);
  }
}

void GroupTrainer::update_bundle(std::size_t bundle, const AdamStep& splits,
                                 const AdamStep& leaves) {
  const BundleLayout& layout = ensemble_.layout(bundle);
  const auto update = [&](const AdamStep& step, std::size_t offset, std::size_t size) {
    const auto part = [&](AlignedVector<float>& buffer) {
      return std::span(buffer).subspan(offset, size);
    };
    adam_update(step, part(parameters_), part(gradients_), part(first_moments_),
                part(second_moments_), part(averages_));
  };
  AdamStep biases = splits;  // a bias is no weight: shrinking it would pull splits to the middle
  biases.decay = biases.l2 = 0;
  update(splits, layout.weights, layout.weights_size);
  update(biases, layout.biases, layout.biases_size);
  update(leaves, layout.leaves, layout.leaves_size);
}

double GroupTrainer::gradient_norm() const {
  double squares = 0;
  for (const float gradient : gradients_) squares += static_cast<double>(gradient) * gradient;
  return std::sqrt(squares);
}

void GroupTrainer::finish_epoch(int epoch) {
  training_losses_ = loss_step_.take_mean_losses();
  map_averages();
  const auto snapshot = [&] { return Snapshot{epoch, averaged_values_, scores_}; };
  if (validation_.size() > 0) {
    scores_ = tree_sums(ensemble_, averaged_values_, validation_.chosen(), team_);
    best_.observe(epoch, mean_losses(tasks_, validation_, in_units(tasks_, scores_)), snapshot);
  } else {
    best_.observe_unseen(snapshot);
  }
  finished_ = epoch >= settings_.epochs || (validation_.size() > 0 && gains_no_more(epoch));
}

bool GroupTrainer::gains_no_more(int epoch) {
  const bool no_patience =
      settings_.patience > 0 && epoch - best_.latest_gain() >= settings_.patience;
  return cycles_.should_stop(epoch, best_.best_total(), best_.possible_gain()) || no_patience;
}

int GroupTrainer::planned_epochs() const {
  const int next = cycles_.next_stop();
  const bool to_the_end = next == 0 || validation_.size() == 0 || settings_.epochs_are_given;
  return to_the_end ? settings_.epochs : std::min(next, settings_.epochs);
}

double GroupTrainer::learning_rate() const {
  return group_.learning_rate * settings_.schedule.factor(steps_done_, num_steps_);
}

/// averaged_values_ ← the knot values of the averaged parameters (of the parameters, without
/// averaging).
void GroupTrainer::map_averages() {
  const AlignedVector<float>& source = settings_.average > 0 ? averages_ : parameters_;
  team_.for_each(memories_.size(), [&](std::size_t bundle) {
    curves_from_parameters(ensemble_, bundle, source, averaged_values_);
  });
}

void GroupTrainer::fail(int epoch, std::size_t batch, const std::string& trouble) const {
  throw Error(
      fmt::format("training met a value that is not finite in epoch {}, batch {}: {}. Try a lower "
                  "--learning-rate, --clip 1, or look for extreme responses; if the loss is your "
                  "own, check where it is defined with 'softwood losses --check'.",
                  epoch, batch, trouble));
}

}  // namespace softwood
