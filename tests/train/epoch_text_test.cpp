#include <limits>

#include <gtest/gtest.h>

#include "softwood/train.h"

namespace softwood {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Twice the validation losses in training, half of them at best, and constants of 4.
EpochResult result_of(const std::vector<double>& losses) {
  EpochResult result;
  result.epoch = 7;
  result.best_epoch = 5;
  for (const double loss : losses) {
    result.training_loss.push_back(2 * loss);
    result.validation_loss.push_back(loss);
    result.best_validation_loss.push_back(loss / 2);
    result.constant_loss.push_back(4);
  }
  return result;
}

TEST(EpochText, says_the_losses_of_the_epoch_and_of_the_best_model_so_far) {
  EXPECT_EQ(epoch_text(result_of({2.471834})), "train 4.9437  valid 2.4718  best 1.2359 at 5");
}

TEST(EpochText, a_few_tasks_stand_side_by_side) {
  EXPECT_EQ(epoch_text(result_of({2, 300})), "train 4/600  valid 2/300  best 1/150 at 5");
  EXPECT_EQ(epoch_text(result_of({2, 300, 1})),
            "train 4/600/2  valid 2/300/1  best 1/150/0.5 at 5");
}

TEST(EpochText, many_tasks_are_shares_of_what_their_constants_lose_never_a_mean_of_unlike_units) {
  EpochResult result = result_of({2, 300, 1, 4});
  result.constant_loss[1] = 300;
  // (4/4 + 600/300 + 2/4 + 8/4) / 4, and so on.
  EXPECT_EQ(epoch_text(result),
            "train 1.375  valid 0.6875  best 0.34375 at 5  of the constants' losses");
}

TEST(EpochText, a_task_that_no_row_has_takes_no_part_in_shares) {
  EpochResult result = result_of({2, 2, kNaN, 2});
  result.constant_loss[2] = kNaN;
  EXPECT_EQ(epoch_text(result), "train 1  valid 0.5  best 0.25 at 5  of the constants' losses");
}

TEST(EpochText, losses_that_may_be_negative_have_no_shares) {
  EpochResult result = result_of({2, 2, 2, 2});
  result.constant_loss[1] = -1;
  EXPECT_EQ(epoch_text(result), "train 4/4/4/…  valid 2/2/2/…  best 1/1/1/… at 5");
}

TEST(EpochText, says_that_nobody_validates) {
  EpochResult result = result_of({3});
  result.validation_loss.clear();
  result.best_validation_loss.clear();
  EXPECT_EQ(epoch_text(result), "train 6  no validation rows");
}

TEST(EpochText, a_loss_that_was_not_finite_so_far_is_no_number) {
  EpochResult result = result_of({3});
  result.best_validation_loss = {kNaN};
  result.best_epoch = 0;
  EXPECT_EQ(epoch_text(result), "train 6  valid 3  best -");
}

TEST(EpochText, a_model_may_be_best_without_trees) {
  EpochResult result = result_of({3});
  result.best_epoch = 0;
  EXPECT_EQ(epoch_text(result), "train 6  valid 3  best 1.5 without trees");
}

}  // namespace
}  // namespace softwood
