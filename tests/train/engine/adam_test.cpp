#include "train/engine/adam.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/simd_target.h"

namespace softwood {
namespace {

/// The formula of adam.h in double, one number at a time.
struct Scalar {
  double parameter, first, second, average;

  void update(const AdamStep& step, double gradient) {
    const double g = step.gradient_scale * gradient + step.l2 * parameter;
    first = step.beta1 * first + (1 - step.beta1) * g;
    second = step.beta2 * second + (1 - step.beta2) * g * g;
    parameter = parameter - step.decay * parameter -
                step.rate * first * step.m_correction /
                    (std::sqrt(second * step.v_correction) + step.epsilon);
    if (step.average_weight != 0) average += step.average_weight * (parameter - average);
  }
};

class AdamOnEveryTarget : public testing::TestWithParam<std::string> {
 protected:
  AdamOnEveryTarget() { force_simd_target(GetParam()); }
  ~AdamOnEveryTarget() override { force_simd_target(""); }
};

TEST_P(AdamOnEveryTarget, follows_the_formula_for_every_length) {
  const RandomStream random(1, "adam");
  for (const std::size_t count : {0u, 1u, 3u, 15u, 16u, 17u, 100u}) {
    std::vector<float> parameters(count), gradients(count), first(count), second(count),
        averages(count);
    std::vector<Scalar> truth;
    for (std::size_t at = 0; at < count; ++at) {
      parameters[at] = averages[at] = static_cast<float>(random.uniform(at) - 0.5);
      truth.push_back({parameters[at], 0, 0, averages[at]});
    }
    for (int time = 1; time <= 3; ++time) {
      AdamStep step{.rate = 0.02F, .decay = 0.002F, .l2 = 0.1F, .gradient_scale = 0.5F};
      step.m_correction = static_cast<float>(1 / (1 - std::pow(0.9, time)));
      step.v_correction = static_cast<float>(1 / (1 - std::pow(0.95, time)));
      step.average_weight = time == 2 ? 0.25F : 0;
      for (std::size_t at = 0; at < count; ++at) {
        gradients[at] = static_cast<float>(random.uniform(1000 * time + at) - 0.5);
        truth[at].update(step, gradients[at]);
      }
      adam_update(step, parameters, gradients, first, second, averages);
    }
    for (std::size_t at = 0; at < count; ++at) {
      EXPECT_NEAR(parameters[at], truth[at].parameter, 1e-6);
      EXPECT_NEAR(averages[at], truth[at].average, 1e-6);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, AdamOnEveryTarget, testing::ValuesIn(simd_targets()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace softwood
