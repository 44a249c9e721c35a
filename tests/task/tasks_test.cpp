#include "task/tasks.h"

#include <gtest/gtest.h>

#include "loss/catalogue/find_loss.h"

namespace softwood {
namespace {

Task task_of(const char* loss) {
  Task task;
  task.target = loss;
  task.program = LossProgram::compile(find_loss(loss));
  return task;
}

TEST(Tasks, outputs_stand_one_after_another) {
  Tasks tasks({task_of("normal"), task_of("squared")});
  EXPECT_EQ(tasks.push_back(task_of("zip")).index_in_model, 2u);
  EXPECT_EQ(tasks[0].first_output, 0u);
  EXPECT_EQ(tasks[1].first_output, 2u);
  EXPECT_EQ(tasks[2].first_output, 3u);
  EXPECT_EQ(tasks.num_outputs(), 5u);
  EXPECT_EQ(Tasks().num_outputs(), 0u);
}

TEST(Tasks, one_alone_counts_its_own_outputs_and_keeps_its_place_in_the_model) {
  const Tasks tasks({task_of("normal"), task_of("squared")});
  const Tasks alone = tasks.only(1);
  EXPECT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone.num_outputs(), 1u);
  EXPECT_EQ(alone[0].first_output, 0u);
  EXPECT_EQ(alone[0].index_in_model, 1u);
}

TEST(Tasks, another_loss_moves_the_outputs_that_follow) {
  Tasks tasks({task_of("squared"), task_of("squared")});
  tasks.replace_program(0, LossProgram::compile(find_loss("normal")));
  EXPECT_EQ(tasks[1].first_output, 2u);
  EXPECT_EQ(tasks.num_outputs(), 3u);
}

}  // namespace
}  // namespace softwood
