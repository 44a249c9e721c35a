#include "train/choices/sharing.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

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
  listed.ensemble = "wide=5,own_wide=4,own_narrow=3x2";
  EXPECT_EQ(num_private(listed), 3u);
}

TEST(Sharing, several_tasks_share_partly_unless_the_model_is_small_or_the_papers) {
  TrainOptions options = two_tasks(std::nullopt);
  EXPECT_THAT(sizes(options), ElementsAre(48, 48, 48, 24, 24));
  options.trees = 30;
  EXPECT_THAT(sizes(options), ElementsAre(6, 6, 6, 3, 3));
  options.trees = 20;  // 12 would be for both, too few to share out
  EXPECT_THAT(sizes(options), ElementsAre(8, 6, 6));
  options = two_tasks(std::nullopt);
  options.recipe = "paper";
  EXPECT_EQ(num_private(options), 0u);
  EXPECT_EQ(num_private(one_task()), 0u);  // one task
}

/// How many trees a model may keep.
std::size_t most_trees(const TrainOptions& options) {
  validate(options);
  const Settings settings = make_settings(options, 1000, true);
  std::size_t shared = 0, own = 0;
  for (const GroupSettings& group : settings.groups) {
    std::size_t& count = group.is_private ? own : shared;
    count = settings.one_group ? std::max(count, group.num_trees) : count + group.num_trees;
  }
  EXPECT_TRUE(settings.one_epoch_for_all);  // else trees are kept once for each of their epochs
  const std::size_t num_tasks = options.tasks.size();
  return (settings.couples_tasks ? num_tasks : 1) * shared + num_tasks * own;
}

RC_GTEST_PROP(Sharing, there_are_no_more_trees_than_were_asked_for_and_hardly_fewer, ()) {
  TrainOptions options;
  const int num_tasks = *rc::gen::inRange(2, 15);
  for (int task = 0; task < num_tasks; ++task) options.tasks.push_back({.target = "y"});
  options.trees = *rc::gen::inRange(num_tasks + 1, 500);
  const std::size_t choice = *rc::gen::inRange(0, 5);
  const char* const shares[] = {"hard", "soft", "none", "partly"};
  if (choice < 4) options.share = shares[choice];
  const std::size_t most = most_trees(options);
  RC_ASSERT(most <= static_cast<std::size_t>(*options.trees));
  RC_ASSERT(most + 2 * static_cast<std::size_t>(num_tasks) >=
            static_cast<std::size_t>(*options.trees));
}

TEST(Sharing, trees_that_do_not_go_round_are_refused) {
  TrainOptions options = two_tasks("none");
  options.trees = 1;
  EXPECT_THAT(complaint(options), HasSubstr("2 tasks with trees of their own need at least 2"));
  options.share = "partly";
  options.trees = 2;
  EXPECT_THAT(complaint(options), HasSubstr("at least 3"));
  options.share = std::nullopt;
  EXPECT_EQ(complaint(options), "");
}

TEST(Sharing, without_a_number_of_trees_tasks_may_keep_their_own_epochs) {
  EXPECT_FALSE(make_settings(two_tasks(std::nullopt), 1000, true).one_epoch_for_all);
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
  EXPECT_THAT(complaint(two_tasks("some")), HasSubstr("hard, partly, soft, none or auto"));
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
  listed.ensemble = "wide=5";
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
