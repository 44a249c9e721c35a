#include "task/loss_budget.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loss/catalogue/find_loss.h"
#include "softwood/error.h"

namespace softwood {
namespace {

/// Far from its own limit, but not from that of several together.
std::string slow_text(int number, int size = 150) {
  return fmt::format("outputs f[{}]\nloss = sum(softmax(f + {})^2)\n", size, number);
}

LossProgram take(LossBudget& budget, const LossSource& source, std::size_t num_classes = 0) {
  budget.expect_room();
  const loss::StepMeter meter;
  LossProgram program = LossProgram::compile(source, num_classes);
  budget.take(program, meter);
  return program;
}

TEST(LossBudget, what_differs_is_added_up_and_refused_in_the_end) {
  LossBudget budget;
  std::string message;
  int count = 0;
  while (message.empty() && count < 20) {
    try {
      take(budget, {.name = "mine.loss", .text = slow_text(count), .settings = {}});
      ++count;
    } catch (const Error& error) {
      message = error.what();
    }
  }
  EXPECT_THAT(message, testing::HasSubstr("steps to compile together, which is the limit"));
  EXPECT_GT(count, 1);
}

TEST(LossBudget, the_first_one_may_come_to_its_own_limit) {
  LossBudget budget;
  EXPECT_NO_THROW(take(budget, {.name = "mine.loss", .text = slow_text(0, 300), .settings = {}}));
  EXPECT_THROW(budget.expect_room(), Error);
}

TEST(LossBudget, losses_of_a_thousand_classes_stay_within_what_their_outputs_allow) {
  for (const char* name : {"softmax", "ordinal"}) {
    const loss::StepMeter meter;
    const LossProgram program = LossProgram::compile(find_loss(name), 1000);
    EXPECT_LT(meter.steps(), 300 * program.outputs().size()) << name;
  }
}

TEST(LossBudget, a_loss_is_the_same_by_text_settings_and_classes) {
  const auto task_of = [](const char* loss, std::size_t num_classes) {
    Task task;
    task.program = LossProgram::compile(find_loss(loss), num_classes);
    task.labels.resize(num_classes);
    return task;
  };
  EXPECT_TRUE(have_same_loss(task_of("huber(2)", 0), task_of("huber(2)", 0)));
  EXPECT_FALSE(have_same_loss(task_of("huber(2)", 0), task_of("huber(3)", 0)));
  EXPECT_FALSE(have_same_loss(task_of("softmax", 3), task_of("softmax", 4)));
}

}  // namespace
}  // namespace softwood
