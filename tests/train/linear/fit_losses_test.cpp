#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "train/linear/linear_scene.h"

namespace softwood {
namespace {

struct LossCase {
  const char* loss;
  std::size_t num_classes;
  /// A response from a number of about unit size and noise.
  double (*response)(double truth, double noise);
  std::size_t num_rows = 60;
};

std::ostream& operator<<(std::ostream& out, const LossCase& one) {
  return out << one.loss;
}

double as_is(double truth, double noise) {
  return truth + noise;
}
double above(double truth, double noise) {
  return truth + noise > 0 ? 1 : 0;
}
double classes(double truth, double noise) {
  return std::clamp(std::floor(truth + noise + 2), 0.0, 3.0);
}
double count(double truth, double noise) {
  return std::floor(std::exp(0.5 * truth + 0.7 * noise));
}
double positive(double truth, double noise) {
  return std::exp(0.5 * truth + 0.5 * noise);
}

LinearScene scene_of(const LossCase& one, std::size_t num_rows, std::size_t num_columns) {
  LinearScene scene(num_rows, num_columns, 21);
  std::vector<double> y;
  for (std::size_t row = 0; row < num_rows; ++row)
    y.push_back(one.response(2 * scene.truth(row), 0.5 * scene.normal(5, row)));
  y[7] = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t row = 0; row < num_rows; ++row)
    scene.weights.push_back(1 + 0.5 * static_cast<double>(row % 3));
  scene.encode();
  scene.add_task(one.loss, y, one.num_classes);
  scene.split(3, 3);
  return scene;
}

class SmoothLoss : public testing::TestWithParam<LossCase> {};

TEST_P(SmoothLoss, has_no_slope_left_at_the_solution) {
  for (const std::size_t num_columns : {6, 60}) {
    const LinearScene scene = scene_of(GetParam(), GetParam().num_rows, num_columns);
    const LinearFit fit = scene.fit();
    ASSERT_TRUE(std::isfinite(fit.penalties[0]));
    const LinearPart& part = fit.members[0];
    const double step = 1.0 / 256;
    for (std::size_t i = 0; i < part.weights().size(); i += 3) {
      // The feature of missing cells, which there are none of.
      if (i / part.num_outputs() % 2 == 1) continue;
      const auto loss_at = [&](double change) {
        std::vector<float> weights(part.weights().begin(), part.weights().end());
        // Steps that floats can tell.
        weights[i] += static_cast<float>(change);
        return penalised_loss(scene, 0,
                              LinearPart(std::make_shared<const LinearFeatures>(part.features()),
                                         weights, {part.biases().begin(), part.biases().end()}),
                              scene.training[0], fit.penalties[0]);
      };
      EXPECT_NEAR((loss_at(step) - loss_at(-step)) / (2 * step), 0, 2e-4) << i;
    }
  }
}

TEST_P(SmoothLoss, learns_something) {
  const LinearScene scene = scene_of(GetParam(), 300, 6);
  const LinearFit fit = scene.fit();
  const LinearPart nothing(std::make_shared<const LinearFeatures>(fit.members[0].features()),
                           scene.tasks.num_outputs());
  EXPECT_LT(penalised_loss(scene, 0, fit.members[0], scene.validation[0], 0),
            penalised_loss(scene, 0, nothing, scene.validation[0], 0) - 0.01);
}

TEST_P(SmoothLoss, left_out_rows_have_about_the_loss_of_validation_rows) {
  const LinearScene scene = scene_of(GetParam(), GetParam().num_rows + 30, 60);
  const LinearFit fit = scene.fit();
  const Task& task = scene.tasks[0];
  const auto loss_of = [&](const std::vector<double>& g, const Examples& examples) {
    const std::vector<double> f = in_units(scene.tasks, g);
    std::vector<double> losses(examples.size());
    task.program.value(examples.responses[0].view(),
                       {f.data(), task.num_outputs(), examples.size()}, losses);
    double sum = 0;
    for (const double loss : losses) sum += loss;
    return sum / static_cast<double>(examples.size());
  };
  double validated = 0, left_out = 0, learned = 0;
  for (std::size_t member = 0; member < 3; ++member) {
    validated += loss_of(fit.scores[member], scene.validation[member]) / 3;
    left_out += loss_of(fit.training_scores[member], scene.training[member]) / 3;
    learned +=
        loss_of(sums(fit.members[member], scene.training[member]), scene.training[member]) / 3;
  }
  EXPECT_LT(learned, validated);
  EXPECT_GT(left_out, learned + 0.4 * (validated - learned));
  EXPECT_LT(left_out, learned + 1.8 * (validated - learned));
}

INSTANTIATE_TEST_SUITE_P(
    FitLinear, SmoothLoss,
    testing::Values(LossCase{"squared", 0, as_is}, LossCase{"logistic", 2, above},
                    LossCase{"softmax", 4, classes}, LossCase{"poisson", 0, count},
                    LossCase{"nb", 0, count, 250}, LossCase{"gamma_mean", 0, positive},
                    LossCase{"huber", 0, as_is}, LossCase{"normal", 0, as_is, 250}),
    [](const auto& one) { return std::string(one.param.loss); });

class AnyLoss : public testing::TestWithParam<LossCase> {};

TEST_P(AnyLoss, ends_with_finite_numbers_that_are_no_worse_than_nothing) {
  for (const std::size_t num_columns : {6, 60}) {
    const LinearScene scene = scene_of(GetParam(), GetParam().num_rows, num_columns);
    const LinearFit fit = scene.fit();
    ASSERT_EQ(fit.members.size(), 3);
    double loss = 0, constant = 0;
    for (std::size_t member = 0; member < 3; ++member) {
      for (const auto* scores : {&fit.scores[member], &fit.training_scores[member]}) {
        EXPECT_TRUE(std::ranges::all_of(*scores, [](double g) { return std::isfinite(g); }));
      }
      const LinearPart nothing(std::make_shared<const LinearFeatures>(fit.members[0].features()),
                               scene.tasks.num_outputs());
      loss += penalised_loss(scene, 0, fit.members[member], scene.validation[member], 0);
      constant += penalised_loss(scene, 0, nothing, scene.validation[member], 0);
    }
    // The constants have seen the validation rows, which is worth a little.
    EXPECT_LT(loss, constant + 0.06 * static_cast<double>(scene.tasks.num_outputs()));
  }
}

INSTANTIATE_TEST_SUITE_P(
    FitLinear, AnyLoss,
    testing::Values(LossCase{"absolute", 0, as_is}, LossCase{"quantile(tau=0.9)", 0, as_is},
                    LossCase{"student_t", 0, as_is}, LossCase{"mixture_normal", 0, as_is},
                    LossCase{"zero_inflated_poisson", 0, count},
                    LossCase{"general_robust", 0, as_is}, LossCase{"-exp(-(y - f)^2)", 0, as_is}));

TEST(FitLinear, a_loss_of_corners_finds_a_linear_truth) {
  for (const char* loss : {"absolute", "quantile(tau=0.4)"}) {
    LinearScene scene(300, 8, 23);
    std::vector<double> y;
    for (std::size_t row = 0; row < 300; ++row)
      y.push_back(scene.truth(row) + 0.05 * scene.normal(1, row));
    scene.encode();
    scene.add_task(loss, y);
    scene.split(3, 3);
    const LinearFit fit = scene.fit();
    const std::vector<double> f = in_units(scene.tasks, fit.scores[0]);
    double error = 0, size = 0;
    for (std::size_t row = 0; row < f.size(); ++row) {
      error += std::abs(f[row] - scene.validation[0].responses[0].y[row]);
      size += std::abs(scene.validation[0].responses[0].y[row]);
    }
    EXPECT_LT(error, 0.1 * size) << loss;
  }
}

TEST(FitLinear, classes_that_can_be_told_apart_have_finite_weights) {
  LinearScene scene(40, 60, 22);
  std::vector<double> y;
  for (std::size_t row = 0; row < 40; ++row) y.push_back(scene.truth(row) > 0 ? 1 : 0);
  scene.encode();
  scene.add_task("logistic", y, 2);
  scene.split(4, 4);
  const LinearFit fit = scene.fit();
  for (const float weight : fit.members[0].weights()) EXPECT_LT(std::abs(weight), 100);
}

}  // namespace
}  // namespace softwood
