#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "train/choices/group_plan.h"
#include "train/choices/settings.h"
#include "train/complaint.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Size {
  bool is_narrow;
  std::size_t num_trees;
  bool operator==(const Size&) const = default;
};

constexpr Size wide(std::size_t num_trees) {
  return {false, num_trees};
}
constexpr Size narrow(std::size_t num_trees) {
  return {true, num_trees};
}

TrainOptions options_with(std::string ensemble) {
  return {.tasks = {{.target = "y"}}, .ensemble = std::move(ensemble)};
}

std::vector<Size> sizes(const TrainOptions& options) {
  validate(options);
  std::vector<Size> result;
  for (const GroupSettings& group : make_settings(options, 1000, true).groups) {
    result.push_back({group.is_narrow, group.num_trees});
  }
  return result;
}

std::vector<Size> sizes_with_trees(int trees, const char* recipe = "default") {
  TrainOptions options = options_with("");
  options.trees = trees;
  options.recipe = recipe;
  return sizes(options);
}

TEST(GroupSettings, a_list_names_kinds_and_sizes) {
  EXPECT_THAT(sizes(options_with("wide=48,narrow=24x2")),
              ElementsAre(wide(48), narrow(24), narrow(24)));
  EXPECT_THAT(sizes(options_with("narrow=7")), ElementsAre(narrow(7)));
  EXPECT_THAT(sizes(options_with("wide=1x3")), ElementsAre(wide(1), wide(1), wide(1)));
  EXPECT_THAT(sizes(options_with("narrow=2,wide=3,narrow=4")),
              ElementsAre(narrow(2), wide(3), narrow(4)));
}

TEST(GroupSettings, all_groups_of_a_list_are_kept_however_small) {
  EXPECT_FALSE(make_settings(options_with("wide=2,narrow=2"), 1000, true).one_group);
}

TEST(GroupSettings, a_list_that_is_not_understood_shows_how_to_write_one) {
  for (const char* text : {"48",
                           "wide",
                           "wide=",
                           "wide=0",
                           "wide=-3",
                           "wide=x2",
                           "wide=4x",
                           "wide=4x0",
                           "wide=4x101",
                           "wide=4 x2",
                           "wide=4x2x2",
                           "deep=4",
                           "wide=4;narrow=4",
                           "wide=4,",
                           ",wide=4",
                           "wide=4,,",
                           "wide=1000001",
                           "wide=99999999999",
                           "wide=4.5",
                           "=4",
                           "linear=3,wide=4",
                           "linear,rest_own_wide=4",
                           "linear,rest_=4",
                           "linear,rest_rest_wide=4",
                           "Wide=4"}) {
    EXPECT_THAT(complaint(options_with(text)), HasSubstr("wide=48,narrow=48x2")) << text;
    EXPECT_THAT(complaint(options_with(text)), HasSubstr(text)) << text;
  }
}

TEST(GroupSettings, a_list_may_have_a_linear_part_and_trees_that_learn_what_it_leaves) {
  const GroupPlan plan = parse_ensemble("wide=4,linear,rest_narrow=3x2,own_wide=2,own_rest_wide=1");
  EXPECT_TRUE(plan.has_linear);
  ASSERT_EQ(plan.groups.size(), 5u);
  const std::vector<GroupSettings> expected = {
      {.num_trees = 4},
      {.is_narrow = true, .learns_rest = true, .num_trees = 3},
      {.is_narrow = true, .learns_rest = true, .num_trees = 3},
      {.is_private = true, .num_trees = 2},
      {.is_private = true, .learns_rest = true, .num_trees = 1}};
  for (std::size_t group = 0; group < 5; ++group)
    EXPECT_TRUE(plan.groups[group] == expected[group]) << group;
  EXPECT_TRUE(make_settings(options_with("linear,wide=4"), 1000, true).has_linear);
  EXPECT_FALSE(make_settings(options_with("wide=4"), 1000, true).has_linear);
  EXPECT_FALSE(make_settings(options_with(""), 1000, true).has_linear);
}

TEST(GroupSettings, trees_that_learn_a_rest_need_something_that_leaves_it) {
  for (const char* text : {"wide=4,rest_wide=4", "own_rest_narrow=4"})
    EXPECT_THAT(complaint(options_with(text)), HasSubstr("no linear part: add 'linear'")) << text;
  EXPECT_EQ(complaint(options_with("rest_wide=4,linear")), "");
}

TEST(GroupSettings, a_linear_part_alone_is_no_ensemble) {
  EXPECT_THAT(complaint(options_with("linear")), HasSubstr("'linear' has no trees: add some"));
}

TEST(GroupSettings, trees_beside_a_list_are_refused) {
  TrainOptions options = options_with("wide=4");
  options.trees = 10;
  EXPECT_THAT(complaint(options), HasSubstr("leave out trees"));
}

RC_GTEST_PROP(GroupSettings, trees_are_shared_out_to_the_last, ()) {
  const int trees = *rc::gen::inRange(16, 2000);
  std::size_t sum = 0, num_wide = 0, least = 2000, most = 0;
  for (const Size& size : sizes_with_trees(trees)) {
    sum += size.num_trees;
    num_wide += size.is_narrow ? 0 : 1;
    least = std::min(least, size.num_trees);
    most = std::max(most, size.num_trees);
  }
  RC_ASSERT(sum == static_cast<std::size_t>(trees));
  RC_ASSERT(num_wide == 1u);
  RC_ASSERT(least >= 1u);
  RC_ASSERT(most - least <= 2u);
}

TEST(GroupSettings, few_trees_are_one_group_of_two_candidates) {
  for (int trees = 1; trees < 16; ++trees) {
    const auto count = static_cast<std::size_t>(trees);
    EXPECT_THAT(sizes_with_trees(trees), ElementsAre(wide(count), narrow(count)));
    TrainOptions options = options_with("");
    options.trees = trees;
    EXPECT_TRUE(make_settings(options, 1000, true).one_group);
  }
}

TEST(GroupSettings, many_trees_are_not_one_group) {
  EXPECT_FALSE(make_settings(options_with(""), 1000, true).one_group);
}

TEST(GroupSettings, the_papers_trees_are_one_wide_group) {
  EXPECT_THAT(sizes_with_trees(7, "paper"), ElementsAre(wide(7)));
  EXPECT_THAT(sizes_with_trees(100, "paper"), ElementsAre(wide(100)));
}

TEST(GroupSettings, only_narrow_groups_ask_for_a_fine_scale) {
  EXPECT_EQ(make_settings(options_with("wide=20"), 1000, true).fine_bins, 0);
  EXPECT_GT(make_settings(options_with("wide=20,narrow=20"), 1000, true).fine_bins, 16);
  TrainOptions paper = options_with("narrow=20");
  paper.recipe = "paper";
  EXPECT_EQ(make_settings(paper, 1000, true).fine_bins, 0);
}

TEST(GroupSettings, the_users_rates_are_those_of_every_group) {
  TrainOptions options = options_with("wide=3,narrow=3");
  options.learning_rate = 0.125;
  options.decay = 0.75;
  for (const GroupSettings& group : make_settings(options, 1000, true).groups) {
    EXPECT_EQ(group.learning_rate, 0.125);
    EXPECT_EQ(group.decay, 0.75);
    EXPECT_GT(group.leaf_learning_rate, 0);
  }
}

}  // namespace
}  // namespace softwood
