#include "train/descent/schedule.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "softwood/error.h"

namespace softwood {
namespace {

TEST(Schedule, constant_stays_at_one) {
  const Schedule schedule{.kind = Schedule::Kind::constant};
  EXPECT_EQ(schedule.factor(0, 100), 1.0);
  EXPECT_EQ(schedule.factor(99, 100), 1.0);
}

TEST(Schedule, cosine_falls_from_one_to_zero) {
  const Schedule schedule{.kind = Schedule::Kind::cosine};
  EXPECT_NEAR(schedule.factor(0, 1000), 1, 1e-5);
  EXPECT_NEAR(schedule.factor(500, 1000), 0.5, 1e-2);
  EXPECT_NEAR(schedule.factor(999, 1000), 0, 1e-5);
  for (std::size_t step = 1; step < 1000; ++step) {
    EXPECT_LT(schedule.factor(step, 1000), schedule.factor(step - 1, 1000));
  }
}

TEST(Schedule, four_cycles_are_each_twice_as_long_as_the_one_before) {
  const Schedule schedule{.kind = Schedule::Kind::four_cycles};
  constexpr std::size_t kSteps = 15000;
  // The cycles end after 1/15, 3/15, 7/15 and all of the run.
  for (const std::size_t end : {1000u, 3000u, 7000u, 15000u}) {
    EXPECT_NEAR(schedule.factor(end - 1, kSteps), 0, 1e-4);
  }
  int peaks = 0;
  for (std::size_t step = 1; step + 1 < kSteps; ++step) {
    const double here = schedule.factor(step, kSteps);
    peaks += here > schedule.factor(step - 1, kSteps) && here >= schedule.factor(step + 1, kSteps);
  }
  EXPECT_EQ(peaks, 4);
}

TEST(Schedule, doubling_cycles_end_at_zero_each_twice_as_long) {
  const Schedule schedule{.kind = Schedule::Kind::doubling, .cycle_steps = 1000};
  std::size_t begin = 0, length = 1000;
  for (int cycle = 0; cycle < 5; ++cycle) {
    const std::size_t end = begin + length;
    EXPECT_NEAR(schedule.factor(begin, 0), 0, 1e-4);
    EXPECT_NEAR(schedule.factor(end - 1, 0), 0, 1e-4);
    int peaks = 0;
    double highest = 0;
    for (std::size_t step = begin + 1; step + 1 < end; ++step) {
      const double here = schedule.factor(step, 0);
      peaks += here > schedule.factor(step - 1, 0) && here >= schedule.factor(step + 1, 0);
      highest = std::max(highest, here);
    }
    EXPECT_EQ(peaks, 1);
    EXPECT_NEAR(highest, 1, 1e-5);
    begin = end;
    length *= 2;
  }
}

TEST(Schedule, doubling_does_not_ask_how_long_the_run_is) {
  const Schedule schedule{.kind = Schedule::Kind::doubling, .cycle_steps = 10};
  for (std::size_t step = 0; step < 100; ++step) {
    EXPECT_EQ(schedule.factor(step, 100), schedule.factor(step, 100000));
  }
}

TEST(Schedule, doubling_begins_with_the_same_four_cycles) {
  const Schedule doubling{.kind = Schedule::Kind::doubling, .cycle_steps = 10};
  const Schedule four_cycles{.kind = Schedule::Kind::four_cycles};
  for (std::size_t step = 0; step < 150; ++step) {
    EXPECT_NEAR(doubling.factor(step, 150), four_cycles.factor(step, 150), 1e-12);
  }
}

TEST(Schedule, warm_up_rises_linearly) {
  const Schedule schedule{.kind = Schedule::Kind::constant, .warm_up_steps = 10};
  EXPECT_DOUBLE_EQ(schedule.factor(0, 100), 0.05);
  EXPECT_DOUBLE_EQ(schedule.factor(4, 100), 0.45);
  EXPECT_DOUBLE_EQ(schedule.factor(10, 100), 1);
}

TEST(Schedule, unknown_names_are_refused) {
  EXPECT_THROW(schedule_kind("cosin"), Error);
}

}  // namespace
}  // namespace softwood
