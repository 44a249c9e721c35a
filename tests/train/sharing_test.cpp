#include "train/sharing.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "train/complaint.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TrainOptions two_tasks(std::optional<std::string> share) {
  TrainOptions options = {.tasks = {{.target = "a"}, {.target = "b"}}};
  options.share = std::move(share);
  return options;
}

TrainOptions one_task() {
  return {.tasks = {{.target = "y"}}};
}

std::vector<std::size_t> sizes(const TrainOptions& options) {
  validate(options);
  std::vector<std::size_t> result;
  for (const GroupSettings& group : make_settings(options, 1000, true).groups) {
    result.push_back(group.num_trees);
  }
  return result;
}

std::size_t num_private(const TrainOptions& options) {
  validate(options);
  const std::vector<GroupSettings> groups = make_settings(options, 1000, true).groups;
  return static_cast<std::size_t>(std::count_if(
      groups.begin(), groups.end(), [](const GroupSettings& group) { return group.is_private; }));
}

TEST(Sharing, says_which_groups_every_task_has_for_itself) {
  EXPECT_EQ(num_private(two_tasks("hard")), 0u);
  EXPECT_EQ(num_private(two_tasks("none")), 3u);
  EXPECT_EQ(num_private(two_tasks("soft")), 0u);
  EXPECT_EQ(num_private(two_tasks("partly")), 2u);
  TrainOptions listed = two_tasks(std::nullopt);
  listed.groups = "wide=5,own_wide=4,own_narrow=3x2";
  EXPECT_EQ(num_private(listed), 3u);
}

TEST(Sharing, several_tasks_share_partly_unless_the_model_is_small_or_the_papers) {
  TrainOptions options = two_tasks(std::nullopt);
  EXPECT_THAT(sizes(options), ElementsAre(48, 48, 48, 24, 24));
  options.trees = 30;
  EXPECT_THAT(sizes(options), ElementsAre(10, 10, 10, 5, 5));
  options.trees = 15;
  EXPECT_EQ(num_private(options), 0u);
  options = two_tasks(std::nullopt);
  options.recipe = "paper";
  EXPECT_EQ(num_private(options), 0u);
  EXPECT_EQ(num_private(one_task()), 0u);  // one task
}

TEST(Sharing, soft_of_strength_zero_is_none) {
  TrainOptions options = two_tasks("soft");
  options.share_strength = 0;
  EXPECT_EQ(num_private(options), 3u);
  EXPECT_FALSE(make_settings(options, 1000, true).couples_tasks);
  options.share_strength = 1;
  EXPECT_EQ(num_private(options), 0u);
  EXPECT_TRUE(make_settings(options, 1000, true).couples_tasks);
}

TEST(Sharing, options_without_effect_are_refused) {
  EXPECT_THAT(complaint(two_tasks("some")), HasSubstr("hard, soft, none or partly"));
  TrainOptions one = one_task();
  one.share = "hard";
  EXPECT_THAT(complaint(one), HasSubstr("there is one"));
  one.share = "soft";
  EXPECT_THAT(complaint(one), HasSubstr("there is one"));
  one.components = "separate";  // the outputs of one loss, pulled together
  EXPECT_EQ(complaint(one), "");
  TrainOptions strong = two_tasks("hard");
  strong.share_strength = 2;
  EXPECT_THAT(complaint(strong), HasSubstr("--share soft"));
  TrainOptions apart = two_tasks("hard");
  apart.components = "separate";
  EXPECT_THAT(complaint(apart), HasSubstr("--components separate"));
  apart.components = "divided";
  EXPECT_THAT(complaint(apart), HasSubstr("shared or separate"));
  TrainOptions listed = two_tasks("none");
  listed.groups = "wide=5";
  EXPECT_THAT(complaint(listed), HasSubstr("own_wide"));
}

TEST(Sharing, somebody_must_say_when_to_stop) {
  TrainOptions options = two_tasks("hard");
  options.tasks[0].stop_weight = 0;
  EXPECT_EQ(complaint(options), "");
  options.tasks[1].stop_weight = 0;
  EXPECT_THAT(complaint(options), HasSubstr("when to stop"));
  options.tasks[1].stop_weight = -1;
  EXPECT_THAT(complaint(options), HasSubstr("zero or more"));
}

}  // namespace
}  // namespace softwood
