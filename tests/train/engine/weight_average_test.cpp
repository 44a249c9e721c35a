#include "train/engine/weight_average.h"

#include <gtest/gtest.h>

namespace softwood {
namespace {

TEST(WeightAverage, starts_as_the_plain_mean) {
  const WeightAverage average(1, 10);
  EXPECT_EQ(average.weight_at(0), 1.0F);
  EXPECT_EQ(average.weight_at(1), 0.5F);
  EXPECT_EQ(average.weight_at(3), 0.25F);
}

TEST(WeightAverage, reaches_back_its_epochs) {
  EXPECT_FLOAT_EQ(WeightAverage(1, 10).weight_at(500), 0.1F);
  EXPECT_FLOAT_EQ(WeightAverage(2, 10).weight_at(500), 0.05F);
}

TEST(WeightAverage, moves_about_64_times_an_epoch) {
  const WeightAverage average(1, 6400);
  int moves = 0;
  for (std::size_t step = 0; step < 6400; ++step) moves += average.weight_at(step) != 0;
  EXPECT_EQ(moves, 64);
}

}  // namespace
}  // namespace softwood
