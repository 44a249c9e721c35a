#include "train/descent/best_epochs.h"

#include <cmath>

#include <gtest/gtest.h>

namespace softwood {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Two tasks whose constants have loss 1, and the losses of epochs 1, 2, ….
BestEpochs after(const std::vector<std::vector<double>>& epochs,
                 std::vector<double> starting = {1, 1}, std::vector<double> shares = {1, 1},
                 const BestEpochRules& rules = {}) {
  BestEpochs best(std::move(starting), std::move(shares), rules);
  int epoch = 0;
  for (const std::vector<double>& losses : epochs) {
    ++epoch;
    best.observe(epoch, losses, [&] { return Snapshot{epoch, {}, {}}; });
  }
  return best;
}

TEST(BestEpochs, a_task_alone_keeps_its_least_loss) {
  const BestEpochs best = after({{0.9}, {0.5}, {0.6}, {0.5}}, {1}, {1});
  EXPECT_EQ(best.of(0)->epoch, 2);
  EXPECT_EQ(best.latest_gain(), 2);
  EXPECT_EQ(best.best_total(), 0.5);
  EXPECT_EQ(best.starting_total(), 1);
}

TEST(BestEpochs, an_epoch_of_its_own_must_be_worth_four_percent_of_what_a_task_can_gain) {
  // Together the second epoch is best. In the third the first task has lost d more, and with
  // 0.5 − d left to gain, d = 0.01923 is 4 % of that.
  const BestEpochs below = after({{0.8, 0.8}, {0.5, 0.5}, {0.5 - 0.0191, 0.7}});
  EXPECT_EQ(below.of(0)->epoch, 2);
  EXPECT_EQ(below.of(1)->epoch, 2);
  const BestEpochs above = after({{0.8, 0.8}, {0.5, 0.5}, {0.5 - 0.0194, 0.7}});
  EXPECT_EQ(above.of(0)->epoch, 3);
  EXPECT_EQ(above.of(1)->epoch, 2);
}

TEST(BestEpochs, a_task_that_overfits_keeps_its_own_epoch_and_does_not_hold_others_back) {
  // The second learns nothing and gets worse by more than the first gains.
  const BestEpochs best = after({{0.5, 0.99}, {0.3, 1.4}, {0.2, 1.8}});
  EXPECT_EQ(best.of(0)->epoch, 3);
  EXPECT_EQ(best.of(1)->epoch, 1);
  EXPECT_EQ(best.latest_gain(), 3);
  EXPECT_NEAR(best.best_total(), 0.2 + 0.99, 1e-15);
}

TEST(BestEpochs, where_trees_are_counted_all_tasks_keep_the_epoch_that_is_best_together) {
  const std::vector<std::vector<double>> epochs = {{0.5, 0.99}, {0.3, 1.1}, {0.2, 1.8}};
  EXPECT_NE(after(epochs).of(0), after(epochs).of(1));
  const BestEpochs best = after(epochs, {1, 1}, {1, 1}, {.one_for_all = true});
  EXPECT_EQ(best.of(0)->epoch, 2);
  EXPECT_EQ(best.of(1)->epoch, 2);
  EXPECT_EQ(best.latest_gain(), 2);
  EXPECT_NEAR(best.best_total(), 0.3 + 1.1, 1e-15);
  EXPECT_NEAR(best.possible_gain(), 0.3, 1e-15);
}

TEST(BestEpochs, what_there_is_to_gain_is_counted_task_by_task) {
  // The first has 0.1 left to gain, the second learned next to nothing.
  EXPECT_NEAR(after({{0.1, 0.999}}).possible_gain(), 0.1 + 0.001, 1e-12);
  EXPECT_NEAR(after({{0.1, 1.5}}).possible_gain(), 0.1, 1e-12);
  EXPECT_NEAR(after({{0.1, 0.999}}, {1, 1}, {2, 0}).possible_gain(), 0.2, 1e-12);
}

TEST(BestEpochs, shares_say_what_counts_together) {
  const std::vector<std::vector<double>> epochs = {{0.5, 0.52}, {0.503, 0.5}};
  EXPECT_EQ(after(epochs, {1, 1}, {1, 1}).of(0)->epoch, 2);
  EXPECT_EQ(after(epochs, {1, 1}, {100, 1}).of(0)->epoch, 1);
  EXPECT_EQ(after(epochs, {1, 1}, {100, 0}).best_total(), 50);
}

TEST(BestEpochs, a_task_that_no_validation_row_has_goes_with_the_others) {
  const BestEpochs best = after({{0.9, kNaN}, {0.5, kNaN}, {0.6, kNaN}}, {1, kNaN}, {1, 0});
  EXPECT_EQ(best.of(1)->epoch, 2);
}

TEST(BestEpochs, a_loss_that_is_never_finite_keeps_nothing) {
  const BestEpochs best = after({{0.9, kNaN}, {0.5, kNaN}});
  EXPECT_EQ(best.of(0)->epoch, 2);
  EXPECT_EQ(best.of(1), nullptr);
  EXPECT_EQ(after({{kNaN}}, {1}, {1}).of(0), nullptr);
  EXPECT_EQ(after({{kNaN}}, {1}, {1}).latest_gain(), 0);
}

constexpr BestEpochRules kTolerant = {.tolerance = 0.1};

TEST(BestEpochs, a_later_epoch_that_loses_little_is_as_good_as_the_best) {
  // There is 0.5 left to gain, a tenth of it is 0.05.
  const BestEpochs within = after({{0.9}, {0.5}, {0.549}}, {1}, {1}, kTolerant);
  EXPECT_EQ(within.of(0)->epoch, 3);
  EXPECT_EQ(within.latest_gain(), 2);  // it is no gain that patience would wait for
  const BestEpochs beyond = after({{0.9}, {0.5}, {0.551}}, {1}, {1}, kTolerant);
  EXPECT_EQ(beyond.of(0)->epoch, 2);
  EXPECT_EQ(beyond.latest_gain(), 2);
}

TEST(BestEpochs, what_is_tolerated_is_counted_from_the_least_loss) {
  // Each is within a tenth of the one before, the last is too far from the least.
  const BestEpochs best = after({{0.5}, {0.54}, {0.58}}, {1}, {1}, kTolerant);
  EXPECT_EQ(best.of(0)->epoch, 2);
  EXPECT_EQ(best.best_total(), 0.5);
}

TEST(BestEpochs, where_all_keep_one_epoch_what_little_is_lost_is_tolerated_too) {
  const BestEpochRules rules = {.one_for_all = true, .tolerance = 0.1};
  const BestEpochs best = after({{0.5, 0.5}, {0.49, 0.59}, {0.48, 0.65}}, {1, 1}, {1, 1}, rules);
  EXPECT_EQ(best.of(0)->epoch, 2);
  EXPECT_EQ(best.of(1)->epoch, 2);
}

TEST(BestEpochs, a_task_that_gains_nothing_tolerates_nothing) {
  const BestEpochs best = after({{1.2}, {1.201}}, {1}, {1}, kTolerant);
  EXPECT_EQ(best.of(0)->epoch, 1);
}

TEST(BestEpochs, losses_below_zero_are_compared_by_what_was_gained) {
  // A log-likelihood of densities: from 0 to −2, and 0.01 more is half a percent of that.
  EXPECT_EQ(after({{-2, -2}, {-2.01, -1}}, {0, 0}).of(0)->epoch, 1);
  EXPECT_EQ(after({{-2, -2}, {-2.1, -1}}, {0, 0}).of(0)->epoch, 2);
}

TEST(BestEpochs, without_validation_rows_the_last_epoch_is_kept) {
  BestEpochs best({kNaN, kNaN}, {0, 0});
  for (int epoch = 1; epoch <= 3; ++epoch) {
    best.observe_unseen([&] { return Snapshot{epoch, {}, {}}; });
  }
  EXPECT_EQ(best.of(0)->epoch, 3);
  EXPECT_EQ(best.of(1)->epoch, 3);
}

}  // namespace
}  // namespace softwood
