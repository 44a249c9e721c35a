#include "train/engine/optimizer.h"

#include <algorithm>
#include <cmath>

#include "train/engine/coupled_update.h"
#include "tree/kernels/curves.h"

namespace softwood {
namespace {

/// Shrinking a bias would pull its split to the middle.
AdamStep of_biases(const Optimizer::Step& step) {
  AdamStep biases = step.splits;
  biases.decay = biases.l2 = 0;
  return biases;
}

void update_part(const AdamStep& step, std::size_t offset, std::size_t size,
                 std::span<const float> gradients, DescentState& state) {
  const auto part = [&](AlignedVector<float>& buffer) {
    return std::span(buffer).subspan(offset, size);
  };
  adam_update(step, part(state.parameters), gradients.subspan(offset, size),
              part(state.first_moments), part(state.second_moments), part(state.averages));
}

}  // namespace

Optimizer::Optimizer(const PreparedGroup& group)
    : settings_(group.settings),
      group_(group.group),
      ensemble_(group.initial.ensemble),
      average_(settings_.average, settings_.steps_per_epoch),
      num_steps_(settings_.steps_per_epoch * static_cast<std::size_t>(settings_.epochs)) {
  gather_families(group.initial.num_coupled);
}

void Optimizer::gather_families(std::size_t num_coupled) {
  const std::size_t num_bundles = ensemble_.shape().bundles.size();
  for (std::size_t first = 0; first < num_bundles; first += num_coupled) {
    Family& family =
        families_.emplace_back(Family{.first = first,
                                      .count = num_coupled,
                                      .begin = ensemble_.layout(first).begin(),
                                      .end = ensemble_.layout(first + num_coupled - 1).end()});
    if (num_coupled == 1) continue;
    family.strengths =
        coupling_strengths(ensemble_, first, settings_.share_strength, settings_.share_decay);
    for (std::size_t bundle = first; bundle < first + num_coupled; ++bundle) {
      const BundleLayout& layout = ensemble_.layout(bundle);
      family.weights.offsets.push_back(layout.weights);
      family.weights.size = layout.weights_size;
      family.biases.offsets.push_back(layout.biases);
      family.biases.size = layout.biases_size;
    }
  }
}

double Optimizer::rate_factor(std::size_t steps_done) const {
  return settings_.schedule.factor(steps_done, num_steps_);
}

Optimizer::Step Optimizer::step_after(std::size_t steps_done) const {
  const double factor = rate_factor(steps_done);
  Step step{.splits = adam_step(factor * group_.learning_rate, steps_done),
            .leaves = adam_step(factor * group_.leaf_learning_rate, steps_done)};
  step.splits.decay = static_cast<float>(step.splits.rate * group_.decay);
  step.splits.l2 = static_cast<float>(settings_.l2_splits);
  step.leaves.l2 = static_cast<float>(settings_.l2_leaves);
  return step;
}

AdamStep Optimizer::adam_step(double rate, std::size_t steps_done) const {
  const double time = static_cast<double>(steps_done + 1);
  AdamStep step;
  step.rate = static_cast<float>(rate);
  step.beta1 = static_cast<float>(settings_.beta1);
  step.beta2 = static_cast<float>(settings_.beta2);
  step.m_correction = static_cast<float>(1 / (1 - std::pow(settings_.beta1, time)));
  step.v_correction = static_cast<float>(1 / (1 - std::pow(settings_.beta2, time)));
  step.average_weight = settings_.average > 0 ? average_.weight_at(steps_done) : 0;
  return step;
}

void Optimizer::clip(double norm, Step& step) const {
  if (norm <= settings_.clip) return;
  step.splits.gradient_scale = step.leaves.gradient_scale =
      static_cast<float>(settings_.clip / norm);
}

void Optimizer::update(const Family& family, const Step& step, std::span<float> gradients,
                       DescentState& state, std::span<float> values) const {
  if (family.count == 1) return update_one(family.first, step, gradients, state, values);
  update_several(family, step, gradients, state, values);
}

void Optimizer::update_one(std::size_t bundle, const Step& step, std::span<float> gradients,
                           DescentState& state, std::span<float> values) const {
  const BundleLayout& layout = ensemble_.layout(bundle);
  if (!clips()) gradients_of_parameters(ensemble_, bundle, gradients);
  update_part(step.splits, layout.weights, layout.weights_size, gradients, state);
  update_part(of_biases(step), layout.biases, layout.biases_size, gradients, state);
  update_part(step.leaves, layout.leaves, layout.leaves_size, gradients, state);
  curves_from_parameters(ensemble_, bundle, state.parameters, values);
}

void Optimizer::update_several(const Family& family, const Step& step, std::span<float> gradients,
                               DescentState& state, std::span<float> values) const {
  update_coupled(step.splits, ensemble_.shape(), ensemble_.shape().bundles[family.first],
                 ensemble_.layout(family.first),
                 {.offsets = family.weights.offsets,
                  .strengths = family.strengths,
                  .gradients_of_values = !clips()},
                 {.gradients = gradients.data(),
                  .parameters = state.parameters.data(),
                  .first_moments = state.first_moments.data(),
                  .second_moments = state.second_moments.data(),
                  .averages = state.averages.data(),
                  .values = values.data()});
  AdamStep biases = of_biases(step);
  biases.average_weight = 0;  // the average is of what the coupling leaves
  for (const std::size_t offset : family.biases.offsets)
    update_part(biases, offset, family.biases.size, gradients, state);
  couple(step.splits, family.strengths, 1, family.biases,
         {.parameters = state.parameters.data(),
          .averages = state.averages.data(),
          .second_moments = state.second_moments.data()});
  for (std::size_t bundle = family.first; bundle < family.first + family.count; ++bundle) {
    const BundleLayout& layout = ensemble_.layout(bundle);
    update_part(step.leaves, layout.leaves, layout.leaves_size, gradients, state);
    std::copy_n(&state.parameters[layout.biases], layout.end() - layout.biases,
                &values[layout.biases]);
  }
}

}  // namespace softwood
