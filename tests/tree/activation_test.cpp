#include "tree/activation.h"

#include <gtest/gtest.h>

#include "softwood/error.h"

namespace softwood {
namespace {

TEST(Activation, names_come_back_and_others_are_refused) {
  for (const Activation activation : {Activation::logistic, Activation::smooth_step})
    EXPECT_EQ(activation_named(activation_name(activation)), activation);
  for (const char* name : {"", "Logistic", "smooth-step", "step"})
    EXPECT_THROW(activation_named(name), Error) << name;
}

TEST(Activation, slopes_are_those_of_the_chances) {
  for (const Activation activation : {Activation::logistic, Activation::smooth_step}) {
    const EnsembleShape shape{.depth = 1, .activation = activation, .gamma = 0.8F};
    for (const double z : {-3.0, -0.41, -0.39, -0.1, 0.0, 0.2, 0.39, 0.41, 3.0}) {
      constexpr double kStep = 1e-6;
      const double rise =
          left_chance(shape, z + kStep).probability - left_chance(shape, z - kStep).probability;
      EXPECT_NEAR(left_chance(shape, z).slope, rise / (2 * kStep), 1e-8) << z;
    }
  }
}

TEST(Activation, a_smooth_step_is_sure_outside_its_width) {
  const EnsembleShape shape{.depth = 1, .activation = Activation::smooth_step, .gamma = 2};
  EXPECT_EQ(left_chance(shape, -1).probability, 0);
  EXPECT_EQ(left_chance(shape, 1).probability, 1);
  EXPECT_EQ(left_chance(shape, 0).probability, 0.5);
}

}  // namespace
}  // namespace softwood
