#include "train/descent/cycle_rule.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace softwood {
namespace {

/// Asks a rule that began with `starting_loss`.
bool should_stop(CycleRule& rule, int epoch, double loss, double starting_loss = 1) {
  return rule.should_stop(epoch, loss, possible_gain(starting_loss, loss));
}

/// The epoch after which training ends, given the least loss at the end of each cycle (the first
/// one lasts two epochs); 0: it never ends.
int end_of_training(double starting_loss, const std::vector<double>& losses) {
  CycleRule rule(2, starting_loss);
  int epoch = 0, length = 2;
  double before = starting_loss;
  for (const double loss : losses) {
    for (int i = 1; i <= length; ++i) {
      // Within a cycle nothing is decided, whatever the loss.
      if (should_stop(rule, ++epoch, i == length ? loss : before, starting_loss)) return epoch;
    }
    before = loss;
    length *= 2;
  }
  return 0;
}

TEST(CycleRule, training_goes_on_while_cycles_gain) {
  EXPECT_EQ(end_of_training(1, {0.8, 0.6, 0.4, 0.3, 0.2}), 0);
}

TEST(CycleRule, training_ends_after_a_cycle_that_gains_next_to_nothing) {
  EXPECT_EQ(end_of_training(1, {0.8, 0.6, 0.5, 0.4999, 0.1}), 2 * 15);
}

TEST(CycleRule, training_ends_after_a_cycle_without_gain) {
  EXPECT_EQ(end_of_training(1, {0.8, 0.6, 0.5, 0.5, 0.1}), 2 * 15);
}

TEST(CycleRule, the_first_cycles_are_never_the_last) {
  EXPECT_EQ(end_of_training(1, {1, 1}), 0);
  EXPECT_EQ(end_of_training(1, {1, 1, 1}), 2 * 7);
}

TEST(CycleRule, a_cycle_is_judged_at_its_end_alone) {
  CycleRule rule(10, 1);
  for (int epoch = 1; epoch < 70; ++epoch) EXPECT_FALSE(should_stop(rule, epoch, 1)) << epoch;
  EXPECT_TRUE(should_stop(rule, 70, 1));
}

TEST(CycleRule, losses_below_zero_are_judged_by_all_that_was_gained) {
  EXPECT_EQ(end_of_training(0, {-5, -8, -9, -9.5}), 0);
  EXPECT_EQ(end_of_training(0, {-5, -8, -9, -9.01}), 2 * 15);
}

TEST(CycleRule, a_gain_on_a_small_rest_is_worth_going_on) {
  // A tenth of what is left, a thousandth of what was gained.
  EXPECT_EQ(end_of_training(1, {0.1, 0.05, 0.02, 0.018, 0.016}), 0);
}

TEST(CycleRule, a_loss_that_is_never_finite_ends_training) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(end_of_training(1, {infinite, infinite, infinite}), 2 * 7);
}

TEST(CycleRule, the_next_chance_to_stop_is_the_end_of_a_cycle) {
  CycleRule rule(2, 1);
  EXPECT_EQ(rule.next_stop(), 2 * 7);
  for (int epoch = 1; epoch <= 2 * 7; ++epoch) should_stop(rule, epoch, 1.0 / epoch);
  EXPECT_EQ(rule.next_stop(), 2 * 15);
  EXPECT_EQ(CycleRule(0, 1).next_stop(), 0);
}

TEST(CycleRule, a_cycle_may_end_within_an_epoch) {
  CycleRule rule(1.5, 1);  // ends after 1.5, 4.5 and 10.5 epochs
  for (int epoch = 1; epoch < 11; ++epoch) EXPECT_FALSE(should_stop(rule, epoch, 1)) << epoch;
  EXPECT_TRUE(should_stop(rule, 11, 1));
}

TEST(CycleRule, several_cycles_may_end_within_one_epoch) {
  CycleRule rule(0.25, 1);  // ends after 0.25, 0.75, 1.75 and 3.75 epochs
  EXPECT_FALSE(should_stop(rule, 1, 1));
  EXPECT_TRUE(should_stop(rule, 2, 1));
}

TEST(CycleRule, without_cycles_training_never_ends_early) {
  CycleRule rule(0, 1);
  for (int epoch = 1; epoch < 1000; ++epoch) EXPECT_FALSE(should_stop(rule, epoch, 1));
}

}  // namespace
}  // namespace softwood
