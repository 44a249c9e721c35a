#include "train/engine/coupled_update.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/simd_target.h"
#include "train/engine/coupling.h"
#include "tree/kernels/curves.h"
#include "tree/random_forest.h"

namespace softwood {
namespace {

constexpr std::size_t kTasks = 3;

/// The same trees of three tasks, of more nodes than a block, on columns of every kind: some larger
/// than a piece, and more than fit one.
Ensemble ensemble_of_three() {
  EnsembleShape shape{.depth = 3, .num_outputs = kTasks, .columns = mixed_columns(60)};
  shape.columns.push_back(curve_basis(700, 0.1));
  for (std::size_t task = 0; task < kTasks; ++task) {
    shape.bundles.push_back({.columns = first_columns(shape.columns.size()),
                             .num_trees = 5,
                             .first_output = task,
                             .num_outputs = 1});
  }
  return Ensemble(std::move(shape));
}

struct Tasks {
  Ensemble ensemble = ensemble_of_three();
  AlignedVector<float> gradients = random_parameters(ensemble, 0.01, 1);
  AlignedVector<float> parameters = random_parameters(ensemble, 1, 2);
  AlignedVector<float> first = random_parameters(ensemble, 0.01, 3);
  AlignedVector<float> second = random_parameters(ensemble, 0.01, 4);
  AlignedVector<float> averages = random_parameters(ensemble, 1, 5);
  AlignedVector<float> values = ensemble.make_buffer();
  std::vector<float> strengths = coupling_strengths(ensemble, 0, 0.3, 0.5);
  CoupledPieces pieces;

  Tasks() {
    for (float& moment : second) moment *= moment;
    pieces.size = ensemble.layout(0).weights_size;
    for (std::size_t task = 0; task < kTasks; ++task)
      pieces.offsets.push_back(ensemble.layout(task).weights);
  }

  void one_pass_after_the_other(const AdamStep& step, bool gradients_of_values) {
    AdamStep adam = step;
    adam.average_weight = 0;
    for (std::size_t task = 0; task < kTasks; ++task) {
      if (gradients_of_values) gradients_of_parameters(ensemble, task, gradients);
      const auto part = [&](AlignedVector<float>& buffer) {
        return std::span(buffer).subspan(pieces.offsets[task], pieces.size);
      };
      adam_update(adam, part(parameters), part(gradients), part(first), part(second),
                  part(averages));
    }
    couple(step, strengths, ensemble.layout(0).block_stride / kLanes, pieces,
           {parameters.data(), averages.data(), second.data()});
    for (std::size_t task = 0; task < kTasks; ++task)
      curves_from_parameters(ensemble, task, parameters, values);
  }

  void by_turns(const AdamStep& step, bool gradients_of_values) {
    update_coupled(step, ensemble.shape(), ensemble.shape().bundles[0], ensemble.layout(0),
                   {pieces.offsets, strengths, gradients_of_values},
                   {gradients.data(), parameters.data(), first.data(), second.data(),
                    averages.data(), values.data()});
  }

  /// Of all tasks: biases and leaves are none of its business.
  std::vector<float> weights(const AlignedVector<float>& buffer) const {
    std::vector<float> all;
    for (const std::size_t offset : pieces.offsets)
      all.insert(all.end(), &buffer[offset], &buffer[offset] + pieces.size);
    return all;
  }
};

void expect_same_bits(const AdamStep& step, bool gradients_of_values) {
  Tasks passes, turns;
  const Tasks untouched;
  passes.one_pass_after_the_other(step, gradients_of_values);
  turns.by_turns(step, gradients_of_values);
  EXPECT_NE(turns.weights(turns.parameters), untouched.weights(untouched.parameters));
  EXPECT_EQ(turns.weights(turns.parameters), passes.weights(passes.parameters));
  EXPECT_EQ(turns.weights(turns.first), passes.weights(passes.first));
  EXPECT_EQ(turns.weights(turns.second), passes.weights(passes.second));
  EXPECT_EQ(turns.weights(turns.averages), passes.weights(passes.averages));
  EXPECT_EQ(turns.weights(turns.values), passes.weights(passes.values));
  for (std::size_t task = 0; task < kTasks; ++task) {
    const BundleLayout& layout = turns.ensemble.layout(task);
    for (std::size_t at = layout.biases; at < layout.end(); ++at)
      ASSERT_EQ(turns.parameters[at], untouched.parameters[at]);
  }
}

class CoupledUpdateOnEveryTarget : public testing::TestWithParam<std::string> {
 protected:
  CoupledUpdateOnEveryTarget() { force_simd_target(GetParam()); }
  ~CoupledUpdateOnEveryTarget() override { force_simd_target(""); }
};

TEST_P(CoupledUpdateOnEveryTarget, has_the_bits_of_one_pass_after_the_other) {
  AdamStep step{.rate = 0.02F, .v_correction = 1.5F, .decay = 0.002F, .l2 = 0.1F};
  expect_same_bits(step, true);
  step.average_weight = 0.25F;
  expect_same_bits(step, true);
  step.gradient_scale = 0.5F;
  expect_same_bits(step, false);
}

INSTANTIATE_TEST_SUITE_P(Targets, CoupledUpdateOnEveryTarget, testing::ValuesIn(simd_targets()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace softwood
