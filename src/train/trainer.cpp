#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/random.h"
#include "softwood/error.h"
#include "train/planting.h"
#include "train/raw_outputs.h"
#include "tree/curves.h"

namespace softwood {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// Roughly what a step costs one thread: look-ups per row, and the optimizer per parameter.
double step_microseconds(const Ensemble& ensemble, std::size_t batch_size) {
  double look_ups = 0;
  for (std::size_t index = 0; index < ensemble.shape().bundles.size(); ++index) {
    look_ups += static_cast<double>(ensemble.layout(index).num_blocks *
                                    ensemble.shape().bundles[index].columns.size());
  }
  return (look_ups * static_cast<double>(batch_size) * 1.6 +
          static_cast<double>(ensemble.buffer_size()) * 0.5) /
         1000;
}

/// Waking a thread costs some microseconds, so a small step is done by fewer. Changes no result.
int useful_threads(const Settings& settings, const Ensemble& ensemble) {
  const int available = ThreadTeam::resolve(settings.threads);
  const double worth = step_microseconds(ensemble, settings.batch_size) / 30;
  return std::clamp(static_cast<int>(worth), 1,
                    std::min(available, static_cast<int>(ensemble.shape().bundles.size())));
}

std::vector<std::size_t> columns_in_use(const EnsembleShape& shape) {
  std::vector<bool> used(shape.columns.size(), false);
  for (const Bundle& bundle : shape.bundles) {
    for (const std::uint32_t column : bundle.columns) used[column] = true;
  }
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < used.size(); ++column) {
    if (used[column]) columns.push_back(column);
  }
  return columns;
}

}  // namespace

Trainer::Trainer(const Settings& settings, const std::vector<Task>& tasks, const Ensemble& ensemble,
                 const Examples& training, const Examples& validation, const Hooks& hooks)
    : settings_(settings),
      tasks_(tasks),
      ensemble_(ensemble),
      training_(training),
      validation_(validation),
      hooks_(hooks),
      team_(useful_threads(settings, ensemble)),
      batch_(ensemble.shape().columns, settings.batch_size),
      loss_step_(tasks, training, settings.batch_size),
      used_columns_(columns_in_use(ensemble.shape())),
      sums_(ensemble.shape().num_outputs * settings.batch_size),
      output_gradients_(sums_.size()),
      parameters_(initial_parameters(ensemble, settings.seed)),
      values_(ensemble.make_buffer()),
      gradients_(ensemble.make_buffer()),
      first_moments_(ensemble.make_buffer()),
      second_moments_(ensemble.make_buffer()),
      averages_(parameters_),
      averaged_values_(ensemble.make_buffer()),
      average_(settings.average, settings.steps_per_epoch),
      stopping_(settings.patience),
      num_steps_(settings.steps_per_epoch * settings.epochs) {
  for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle) {
    memories_.emplace_back(ensemble, bundle, settings.batch_size);
    bundle_sums_.emplace_back(ensemble.shape().bundles[bundle].num_outputs * settings.batch_size);
    curves_from_parameters(ensemble, bundle, parameters_, values_);
  }
}

void Trainer::run() {
  start_ = last_told_ = Clock::now();
  for (int epoch = 1; epoch <= settings_.epochs; ++epoch) {
    const bool whole = run_epoch(epoch);
    if (!whole && !history_.empty()) break;  // the best of the epochs before is kept
    history_.push_back(finish_epoch(epoch));
    const bool go_on = !hooks_.on_epoch || hooks_.on_epoch(progress(epoch), history_.back());
    if (!whole || !go_on || stopping_.should_stop(epoch)) break;
  }
  if (best_values_.empty()) {
    throw Error(
        "the validation loss was never finite. Check the response and the loss, or lower "
        "--learning-rate.");
  }
}

/// False if a hook stopped it halfway.
bool Trainer::run_epoch(int epoch) {
  std::vector<std::uint32_t> order(training_.size());
  std::iota(order.begin(), order.end(), 0U);
  RandomStream(settings_.seed, "shuffle", epoch).shuffle(order);
  for (std::size_t batch = 0; batch < settings_.steps_per_epoch; ++batch) {
    const auto [begin, end] = share_of(order.size(), batch, settings_.steps_per_epoch);
    step(std::span(order).subspan(begin, end - begin));
    if (const auto trouble = loss_step_.add_to_totals()) fail(epoch, batch + 1, *trouble);
    ++steps_done_;
    if (!tell_progress(epoch)) return false;
  }
  return true;
}

void Trainer::step(std::span<const std::uint32_t> rows) {
  load_batch(rows);
  forward();
  evaluate_loss();
  backward();
}

void Trainer::load_batch(std::span<const std::uint32_t> rows) {
  batch_.resize(rows.size());
  const MatrixView<const float> positions = training_.rows.view();
  // The responses are one more piece of work beside the columns.
  team_.for_each(used_columns_.size() + 1, [&](std::size_t piece) {
    if (piece == 0) {
      loss_step_.load(rows);
    } else {
      batch_.load_column(used_columns_[piece - 1], positions, rows, /*sorted=*/true);
    }
  });
}

void Trainer::forward() {
  team_.for_each(memories_.size(), [&](std::size_t bundle) {
    const std::size_t num_outputs = ensemble_.shape().bundles[bundle].num_outputs;
    softwood::forward(ensemble_, bundle, values_, batch_, memories_[bundle], /*keep=*/true,
                      {bundle_sums_[bundle].data(), num_outputs, batch_.num_rows()});
  });
}

/// Sums the bundles in their order, whoever computed them, and evaluates the losses: threads share
/// rows.
void Trainer::evaluate_loss() {
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

void Trainer::backward() {
  const bool clipping = settings_.clip > 0;
  const double factor = settings_.schedule.factor(steps_done_, num_steps_);
  AdamStep splits = adam_step(factor * settings_.learning_rate);
  AdamStep leaves = adam_step(factor * settings_.leaf_learning_rate);
  splits.decay = static_cast<float>(splits.rate * settings_.decay);
  splits.l2 = static_cast<float>(settings_.l2_splits);
  leaves.l2 = static_cast<float>(settings_.l2_leaves);
  team_.for_each(memories_.size(), [&](std::size_t bundle) {
    find_gradients(bundle);
    if (!clipping) update_bundle(bundle, splits, leaves);
  });
  if (!clipping) return;
  const double norm = gradient_norm();
  if (norm > settings_.clip) {
    splits.gradient_scale = leaves.gradient_scale = static_cast<float>(settings_.clip / norm);
  }
  team_.for_each(memories_.size(),
                 [&](std::size_t bundle) { update_bundle(bundle, splits, leaves); });
}

AdamStep Trainer::adam_step(double rate) const {
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

void Trainer::find_gradients(std::size_t index) {
  const Bundle& bundle = ensemble_.shape().bundles[index];
  const std::size_t num_rows = batch_.num_rows();
  const MatrixView<const float> output_gradients(
      output_gradients_.data() + bundle.first_output * num_rows, bundle.num_outputs, num_rows);
  softwood::backward(ensemble_, index, values_, batch_, memories_[index], output_gradients,
                     gradients_);
  gradients_of_parameters(ensemble_, index, gradients_);
}

void Trainer::update_bundle(std::size_t bundle, const AdamStep& splits, const AdamStep& leaves) {
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
  curves_from_parameters(ensemble_, bundle, parameters_, values_);
}

double Trainer::gradient_norm() const {
  double squares = 0;
  for (const float gradient : gradients_) squares += static_cast<double>(gradient) * gradient;
  return std::sqrt(squares);
}

EpochResult Trainer::finish_epoch(int epoch) {
  EpochResult result;
  result.epoch = epoch;
  result.learning_rate =
      settings_.learning_rate * settings_.schedule.factor(steps_done_ - 1, num_steps_);
  result.training_loss = loss_step_.take_mean_losses();
  map_averages();
  double total = -epoch;  // without validation rows the last epoch is the best
  if (validation_.size() > 0) {
    const auto f = raw_outputs(tasks_, ensemble_, averaged_values_, validation_.rows, team_);
    result.validation_loss = mean_losses(tasks_, validation_, f);
    total = weighted_total(result.validation_loss);
  }
  result.best = stopping_.observe(epoch, total);
  if (result.best) best_values_ = averaged_values_;
  result.seconds = seconds_between(start_, Clock::now());
  return result;
}

/// What early stopping compares: tasks on their common scale. A task without validation responses
/// has no say.
double Trainer::weighted_total(const std::vector<double>& losses) const {
  double total = 0;
  for (std::size_t task = 0; task < tasks_.size(); ++task) {
    const bool observed =
        std::any_of(validation_.tasks[task].y.begin(), validation_.tasks[task].y.end(),
                    [](double y) { return !std::isnan(y); });
    if (observed) total += tasks_[task].weight * losses[task] / tasks_[task].units.loss_scale;
  }
  return total;
}

/// averaged_values_ ← the knot values of the averaged parameters (of the parameters, without
/// averaging).
void Trainer::map_averages() {
  const AlignedVector<float>& source = settings_.average > 0 ? averages_ : parameters_;
  team_.for_each(memories_.size(), [&](std::size_t bundle) {
    curves_from_parameters(ensemble_, bundle, source, averaged_values_);
  });
}

bool Trainer::tell_progress(int epoch) {
  if (!hooks_.on_progress) return true;
  const Clock::time_point now = Clock::now();
  if (seconds_between(last_told_, now) < 0.1) return true;
  last_told_ = now;
  return hooks_.on_progress(progress(epoch));
}

Progress Trainer::progress(int epoch) const {
  Progress progress;
  progress.epoch = epoch;
  progress.epochs = settings_.epochs;
  progress.fraction = static_cast<double>(steps_done_) / static_cast<double>(num_steps_);
  progress.seconds = seconds_between(start_, Clock::now());
  progress.rows_per_second =
      static_cast<double>(steps_done_) * static_cast<double>(training_.size()) /
      static_cast<double>(settings_.steps_per_epoch) / std::max(progress.seconds, 1e-9);
  progress.seconds_left =
      progress.seconds * (1 - progress.fraction) / std::max(progress.fraction, 1e-9);
  return progress;
}

void Trainer::fail(int epoch, std::size_t batch, const std::string& trouble) const {
  throw Error(
      fmt::format("training met a value that is not finite in epoch {}, batch {}: {}. Try a lower "
                  "--learning-rate, --clip 1, or look for extreme responses; if the loss is your "
                  "own, check where it is defined with 'softwood losses --check'.",
                  epoch, batch, trouble));
}

}  // namespace softwood
