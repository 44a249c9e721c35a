#include "train/descent/examples_loss.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loss/catalogue/find_loss.h"
#include "train/all_rows.h"

namespace softwood {
namespace {

using testing::ElementsAre;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Two tasks of squared error at f = 0; the second's responses stand first among the examples.
struct Scene {
  Tasks tasks;
  Examples examples;

  Scene() {
    examples.rows = all_rows(3);
    examples.responses = {{.y = {1, kMissing, kMissing}, .columns = {}},
                          {.y = {2, 4, kMissing}, .columns = {}}};
    for (std::size_t task = 0; task < 2; ++task) {
      Task next;
      next.program = LossProgram::compile(find_loss("squared"));
      next.units = {.offset = {0}, .unit = {1}, .loss_scale = task == 0 ? 10.0 : 4.0};
      tasks.push_back(std::move(next)).index_in_model = 1 - task;
    }
  }
  std::vector<double> losses() const {
    return mean_losses(tasks, examples, std::vector<double>(6, 0.0));
  }
};

TEST(ExamplesLoss, mean_losses_are_over_the_rows_that_have_the_response) {
  EXPECT_THAT(Scene().losses(), ElementsAre((4 + 16) / 2.0, 1));
}

TEST(ExamplesLoss, shares_count_tasks_by_their_stop_weights_on_a_common_scale) {
  Scene scene;
  scene.tasks[0].stop_weight = 3;
  EXPECT_THAT(stop_shares(scene.tasks, scene.examples), ElementsAre(3 / 10.0, 1 / 4.0));
}

TEST(ExamplesLoss, a_task_without_responses_has_no_say) {
  Scene scene;
  scene.examples.responses[0].y[0] = kMissing;
  EXPECT_TRUE(std::isnan(scene.losses()[1]));
  EXPECT_THAT(stop_shares(scene.tasks, scene.examples), ElementsAre(1 / 10.0, 0));
}

}  // namespace
}  // namespace softwood
