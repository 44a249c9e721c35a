#include "task/mean_loss.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "loss/catalogue/find_loss.h"

namespace softwood {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

TEST(MeanLoss, rows_without_a_response_take_no_part) {
  MeanLoss mean;
  mean.add(std::vector{1.0, kMissing, 3.0}, std::vector{10.0, 99.0, 20.0}, {});
  EXPECT_EQ(mean.value(), 15);
  EXPECT_TRUE(std::isnan(MeanLoss().value()));
}

TEST(MeanLoss, parts_add_up_to_the_whole) {
  const std::vector y = {1.0, 2.0, 3.0}, losses = {5.0, 6.0, 7.0}, weights = {1.0, 0.0, 3.0};
  MeanLoss whole, first, rest;
  whole.add(y, losses, weights);
  first.add(std::span(y).first(1), std::span(losses).first(1), std::span(weights).first(1));
  rest.add(std::span(y).last(2), std::span(losses).last(2), std::span(weights).last(2));
  first.add(rest);
  EXPECT_EQ(first.value(), whole.value());
  EXPECT_EQ(whole.value(), (5 + 3 * 7) / 4.0);
}

TEST(MeanLoss, a_tasks_mean_is_that_of_its_program) {
  Task task;
  task.program = LossProgram::compile(find_loss("squared"));
  const Responses responses{.y = {1, kMissing, 5}, .columns = {}};
  EXPECT_EQ(mean_loss(task, responses, {}, std::vector{2.0, 0.0, 2.0}), (1 + 9) / 2.0);
}

}  // namespace
}  // namespace softwood
