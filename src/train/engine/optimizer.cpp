#include "train/engine/optimizer.h"

#include <cmath>

namespace softwood {

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

void Optimizer::update(const Family& family, const Step& step, std::span<const float> gradients,
                       DescentState& state) const {
  Step first = step;
  // The average is of what the coupling leaves.
  if (family.count > 1) first.splits.average_weight = 0;
  for (std::size_t i = 0; i < family.count; ++i) {
    update_bundle(family.first + i, first, gradients, state);
  }
  if (family.count == 1) return;
  const CoupledBuffers buffers{.parameters = state.parameters.data(),
                               .averages = state.averages.data(),
                               .second_moments = state.second_moments.data()};
  const std::size_t stride = ensemble_.layout(family.first).block_stride / kLanes;
  couple(step.splits, family.strengths, stride, family.weights, buffers);
  couple(step.splits, family.strengths, 1, family.biases, buffers);
}

void Optimizer::update_bundle(std::size_t bundle, const Step& step,
                              std::span<const float> gradients, DescentState& state) const {
  const BundleLayout& layout = ensemble_.layout(bundle);
  const auto update = [&](const AdamStep& adam, std::size_t offset, std::size_t size) {
    const auto part = [&](AlignedVector<float>& buffer) {
      return std::span(buffer).subspan(offset, size);
    };
    adam_update(adam, part(state.parameters), gradients.subspan(offset, size),
                part(state.first_moments), part(state.second_moments), part(state.averages));
  };
  AdamStep biases = step.splits;  // shrinking a bias would pull its split to the middle
  biases.decay = biases.l2 = 0;
  update(step.splits, layout.weights, layout.weights_size);
  update(biases, layout.biases, layout.biases_size);
  update(step.leaves, layout.leaves, layout.leaves_size);
}

}  // namespace softwood
