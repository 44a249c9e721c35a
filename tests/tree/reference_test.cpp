#include "tree/reference.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tree/random_forest.h"

namespace softwood {
namespace {

struct Scene {
  Ensemble ensemble;
  Positions positions;
  std::vector<double> parameters;
  std::vector<double> output_gradients;

  std::size_t num_outputs() const { return ensemble.shape().num_outputs; }

  std::vector<double> forward() const {
    std::vector<double> out(num_outputs() * positions.num_rows);
    reference_forward(ensemble, parameters, positions.view(),
                      {out.data(), num_outputs(), positions.num_rows});
    return out;
  }
  double weighted_sum() const {
    const std::vector<double> out = forward();
    double sum = 0;
    for (std::size_t i = 0; i < out.size(); ++i) sum += out[i] * output_gradients[i];
    return sum;
  }
};

Scene make_scene(int depth, Activation activation, std::size_t num_outputs) {
  const std::vector<ColumnBasis> columns = mixed_columns(5);
  Ensemble ensemble({.depth = depth,
                     .activation = activation,
                     .gamma = 4,
                     .num_outputs = num_outputs,
                     .columns = columns,
                     .bundles = make_bundles(2, depth, first_columns(5), 0, num_outputs)});
  const AlignedVector<float> parameters = random_parameters(ensemble, 0.8, 7);
  Positions positions = random_positions(columns, 6, 8);
  const std::vector<float> g = random_output_gradients(num_outputs * 6, 9);
  return {std::move(ensemble),
          std::move(positions),
          {parameters.begin(), parameters.end()},
          {g.begin(), g.end()}};
}

/// Central differences in every parameter.
void expect_gradient(Scene scene) {
  const std::vector<double> gradient = reference_gradient(
      scene.ensemble, scene.parameters, scene.positions.view(),
      {scene.output_gradients.data(), scene.num_outputs(), scene.positions.num_rows});
  constexpr double kStep = 1e-5;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double at = scene.parameters[i];
    scene.parameters[i] = at + kStep;
    const double above = scene.weighted_sum();
    scene.parameters[i] = at - kStep;
    const double below = scene.weighted_sum();
    scene.parameters[i] = at;
    ASSERT_NEAR(gradient[i], (above - below) / (2 * kStep), 1e-8) << "parameter " << i;
  }
}

TEST(Reference, gradient_equals_finite_differences) {
  for (const Activation activation : {Activation::logistic, Activation::smooth_step}) {
    for (const int depth : {1, 2, 4}) {
      SCOPED_TRACE(depth);
      expect_gradient(make_scene(depth, activation, 2));
    }
  }
}

TEST(Reference, one_logistic_split_is_a_weighted_mean_of_its_leaves) {
  const Ensemble ensemble(
      {.depth = 1, .columns = {linear_basis()}, .bundles = make_bundles(1, 1, {0}, 0, 1)});
  std::vector<double> parameters(ensemble.buffer_size());
  parameters[ensemble.layout(0).weights] = 2;
  parameters[ensemble.layout(0).biases] = 0.5;
  parameters[ensemble.layout(0).leaves] = 3;
  parameters[ensemble.layout(0).leaves + 1] = -1;
  const float x = 0.25F;
  double out = 0;
  reference_forward(ensemble, parameters, {&x, 1, 1}, {&out, 1, 1});
  const double left = 1 / (1 + std::exp(-(2 * 0.25 + 0.5)));
  EXPECT_NEAR(out, 3 * left - (1 - left), 1e-15);
}

TEST(Reference, routing_probabilities_sum_to_one) {
  for (const Activation activation : {Activation::logistic, Activation::smooth_step}) {
    Scene scene = make_scene(5, activation, 1);
    for (std::size_t bundle = 0; bundle < scene.ensemble.shape().bundles.size(); ++bundle) {
      const BundleLayout& layout = scene.ensemble.layout(bundle);
      std::fill_n(scene.parameters.begin() + static_cast<std::ptrdiff_t>(layout.leaves),
                  layout.leaves_size, 1.0);
    }
    for (const double out : scene.forward()) EXPECT_NEAR(out, 2, 1e-12);
  }
}

}  // namespace
}  // namespace softwood
