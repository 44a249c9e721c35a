#include "train/engine/reference_engine.h"

#include <bit>
#include <cmath>
#include <utility>

#include "base/even_parts.h"
#include "train/engine/not_finite.h"
#include "train/engine/weight_average.h"
#include "tree/kernels/curves.h"
#include "tree/reference.h"

namespace softwood {
namespace {

using Numbers = std::vector<double>;

Numbers as_doubles(std::span<const float> values) {
  return {values.begin(), values.end()};
}

AlignedVector<float> as_floats(const Numbers& values) {
  AlignedVector<float> floats;
  for (const double value : values) floats.push_back(static_cast<float>(value));
  return floats;
}

/// Positions [columns × rows] of some rows of the table.
std::vector<float> gather(const ChosenRows& chosen) {
  std::vector<float> positions;
  for (std::size_t column = 0; column < chosen.positions.rows; ++column) {
    for (const std::uint32_t row : chosen.rows) positions.push_back(chosen.positions(column, row));
  }
  return positions;
}

/// The formulas of AdamStep, for a part of the parameters that are treated alike.
struct AdamRates {
  double rate = 0, decay = 0, l2 = 0;
};

}  // namespace

struct ReferenceEngine::Group {
  const PreparedGroup& prepared;
  const Examples& training;
  const Examples& validation;
  const Ensemble& ensemble = prepared.initial.ensemble;
  const Settings& settings = prepared.settings;
  LossStep loss_step{prepared.tasks, training, settings.batch_size};

  Numbers parameters, first_moments, second_moments, averages;
  std::size_t steps_done = 0;
  std::vector<MeanLoss> losses;
  AlignedVector<float> averaged_values = ensemble.make_buffer();
  Numbers scores;

  explicit Group(const EngineGroup& group)
      : prepared(*group.group), training(*group.training), validation(*group.validation) {
    set_state(initial_state(prepared));
  }

  DescentState state() const {
    return {.parameters = as_floats(parameters),
            .first_moments = as_floats(first_moments),
            .second_moments = as_floats(second_moments),
            .averages = as_floats(averages),
            .steps_done = steps_done,
            .losses = losses};
  }
  void set_state(const DescentState& state) {
    parameters = as_doubles(state.parameters);
    first_moments = as_doubles(state.first_moments);
    second_moments = as_doubles(state.second_moments);
    averages = as_doubles(state.averages);
    steps_done = state.steps_done;
    losses = state.losses;
  }

  Numbers sums(std::span<const double> weights, const std::vector<float>& positions,
               std::size_t num_rows) const {
    Numbers out(ensemble.shape().num_outputs * num_rows);
    if (num_rows == 0) return out;
    reference_forward(ensemble, weights, {positions.data(), positions.size() / num_rows, num_rows},
                      {out.data(), ensemble.shape().num_outputs, num_rows});
    return out;
  }

  void step(std::span<const std::uint32_t> rows) {
    std::vector<std::uint32_t> table_rows;
    for (const std::uint32_t row : rows) table_rows.push_back(training.rows[row]);
    const std::vector<float> positions = gather({training.positions, table_rows});
    const Numbers out = sums(parameters, positions, rows.size());
    const std::size_t num_outputs = ensemble.shape().num_outputs;
    Numbers output_gradients(out.size());
    loss_step.load(rows);
    loss_step.evaluate({out.data(), num_outputs, rows.size()}, 0, rows.size(),
                       MatrixView<double>(output_gradients.data(), num_outputs, rows.size()));
    update(reference_gradient(ensemble, parameters,
                              {positions.data(), positions.size() / rows.size(), rows.size()},
                              {output_gradients.data(), num_outputs, rows.size()}));
    ++steps_done;
  }

  void update(Numbers gradients) {
    clip(gradients);
    const auto num_steps = settings.steps_per_epoch * static_cast<std::size_t>(settings.epochs);
    const double factor = settings.schedule.factor(steps_done, num_steps);
    const double rate = factor * prepared.group.learning_rate;
    const AdamRates weights{
        .rate = rate, .decay = rate * prepared.group.decay, .l2 = settings.l2_splits};
    const AdamRates biases{.rate = rate};
    const AdamRates leaves{.rate = factor * prepared.group.leaf_learning_rate,
                           .l2 = settings.l2_leaves};
    const std::size_t num_bundles = ensemble.shape().bundles.size();
    for (std::size_t bundle = 0; bundle < num_bundles; ++bundle) {
      const BundleLayout& layout = ensemble.layout(bundle);
      adam(weights, layout.weights, layout.weights_size, gradients);
      adam(biases, layout.biases, layout.biases_size, gradients);
      adam(leaves, layout.leaves, layout.leaves_size, gradients);
    }
    const std::size_t num_coupled = prepared.initial.num_coupled;
    for (std::size_t first = 0; num_coupled > 1 && first < num_bundles; first += num_coupled)
      couple(first, rate);
    average();
  }

  void clip(Numbers& gradients) const {
    if (settings.clip == 0) return;
    double squares = 0;
    for (const double gradient : gradients) squares += gradient * gradient;
    const double norm = std::sqrt(squares);
    if (norm <= settings.clip) return;
    for (double& gradient : gradients) gradient *= settings.clip / norm;
  }

  static constexpr double kEpsilon = 1e-8;
  double denominator(std::size_t at) const {
    const double correction = 1 - std::pow(settings.beta2, static_cast<double>(steps_done + 1));
    return std::sqrt(second_moments[at] / correction) + kEpsilon;
  }

  void adam(const AdamRates& rates, std::size_t offset, std::size_t size,
            const Numbers& gradients) {
    const double correction = 1 - std::pow(settings.beta1, static_cast<double>(steps_done + 1));
    for (std::size_t at = offset; at < offset + size; ++at) {
      const double g = gradients[at] + rates.l2 * parameters[at];
      first_moments[at] = settings.beta1 * first_moments[at] + (1 - settings.beta1) * g;
      second_moments[at] = settings.beta2 * second_moments[at] + (1 - settings.beta2) * g * g;
      const double move = rates.rate * first_moments[at] / correction / denominator(at);
      parameters[at] -= move + rates.decay * parameters[at];
    }
  }

  /// w_t ← w̄ + (w_t − w̄) / (1 + 2 λ T · rate / (√v̂_t + ε)), for weights and biases of the same
  /// trees of several tasks.
  void couple(std::size_t first, double rate) {
    const std::size_t count = prepared.initial.num_coupled;
    const BundleLayout& layout = ensemble.layout(first);
    const std::size_t num_splits = ensemble.shape().num_splits_per_tree();
    std::vector<double> strengths(layout.num_blocks * kLanes, 0.0);  // padding stays what it is
    for (std::size_t node = 0; node < layout.num_nodes; ++node) {
      const auto depth = static_cast<double>(std::bit_width(node % num_splits + 1) - 1);
      strengths[layout.slot(node)] =
          settings.share_strength * std::pow(settings.share_decay, depth);
    }
    for (std::size_t at = 0; at < layout.weights_size + layout.biases_size; ++at) {
      const bool is_bias = at >= layout.weights_size;
      const std::size_t within = is_bias ? at - layout.weights_size : at;
      const std::size_t block = within / (is_bias ? kLanes : layout.block_stride);
      const double strength = strengths[block * kLanes + within % kLanes];
      if (strength == 0) continue;
      const auto place = [&](std::size_t task) {
        const BundleLayout& own = ensemble.layout(first + task);
        return (is_bias ? own.biases : own.weights) + within;
      };
      double mean = 0;
      for (std::size_t task = 0; task < count; ++task)
        mean += parameters[place(task)] / static_cast<double>(count);
      for (std::size_t task = 0; task < count; ++task) {
        const double pull =
            2 * strength * static_cast<double>(count) * rate / denominator(place(task));
        double& parameter = parameters[place(task)];
        parameter = mean + (parameter - mean) / (1 + pull);
      }
    }
  }

  void average() {
    if (settings.average == 0) return;
    const double weight =
        WeightAverage(settings.average, settings.steps_per_epoch).weight_at(steps_done);
    for (std::size_t at = 0; at < parameters.size(); ++at)
      averages[at] += weight * (parameters[at] - averages[at]);
  }

  void run(const GroupBatches& batches, const std::function<bool()>& go_on) {
    for (std::size_t batch = batches.first; batch < batches.first + batches.count; ++batch) {
      const auto [begin, end] = even_part(batches.rows.size(), batch, settings.steps_per_epoch);
      step(batches.rows.subspan(begin, end - begin));
      if (const auto trouble = loss_step.add_losses(losses))
        throw_not_finite(batches.epoch, batch + 1, *trouble);
      if (!go_on()) return;
    }
    if (batches.then_validate) validate();
  }

  void validate() {
    const Numbers& weights = settings.average > 0 ? averages : parameters;
    scores = sums(weights, gather(validation.chosen()), validation.size());
    const AlignedVector<float> floats = as_floats(weights);
    for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle)
      curves_from_parameters(ensemble, bundle, floats, averaged_values);
  }
};

ReferenceEngine::ReferenceEngine(const std::vector<EngineGroup>& groups) {
  for (const EngineGroup& group : groups) groups_.push_back(std::make_unique<Group>(group));
}

ReferenceEngine::~ReferenceEngine() = default;

void ReferenceEngine::run(std::span<const GroupBatches> chapter,
                          const std::function<bool()>& go_on) {
  for (const GroupBatches& batches : chapter) groups_[batches.group]->run(batches, go_on);
}

DescentState ReferenceEngine::export_state(std::size_t group) const {
  return groups_[group]->state();
}

void ReferenceEngine::import_state(std::size_t group, DescentState state) {
  groups_[group]->set_state(state);
}

std::size_t ReferenceEngine::steps_done(std::size_t group) const {
  return groups_[group]->steps_done;
}

std::vector<double> ReferenceEngine::take_training_losses(std::size_t group) {
  return take_means(groups_[group]->losses);
}

std::span<const float> ReferenceEngine::averaged_values(std::size_t group) const {
  return groups_[group]->averaged_values;
}

std::span<const double> ReferenceEngine::validation_scores(std::size_t group) const {
  return groups_[group]->scores;
}

void ReferenceEngine::validate(std::size_t group) {
  groups_[group]->validate();
}

}  // namespace softwood
