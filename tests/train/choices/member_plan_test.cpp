#include "train/choices/member_plan.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "train/choices/group_plan.h"
#include "train/complaint.h"

namespace softwood {
namespace {

constexpr std::size_t kFewRows = 200, kManyRows = 100000;

TrainOptions some_options(std::size_t num_tasks = 1) {
  TrainOptions options;
  options.tasks.resize(num_tasks, {.target = "y"});
  return options;
}

TrainOptions settled(const TrainOptions& options, std::size_t num_rows, bool has_table = false) {
  return settle_members(
      options, {.num_rows = num_rows, .num_columns = 10, .has_validation_table = has_table});
}

TrainOptions settled_in_folds(std::size_t most) {
  return settle_members(some_options(),
                        {.num_rows = kFewRows, .num_columns = 10, .most_folds = most});
}

int members_for(const TrainOptions& options, std::size_t num_rows, bool has_table = false) {
  return settled(options, num_rows, has_table).members.value_or(0);
}

TEST(MemberPlan, the_more_rows_the_fewer_members_until_there_is_one) {
  EXPECT_GT(members_for(some_options(), kFewRows), 1);
  EXPECT_EQ(members_for(some_options(), kManyRows), 1);
  int before = members_for(some_options(), 20);
  for (std::size_t num_rows = 21; num_rows < 2 * kManyRows; num_rows += num_rows / 3) {
    const int now = members_for(some_options(), num_rows);
    EXPECT_LE(now, before) << num_rows;
    EXPECT_GE(now, 1) << num_rows;
    before = now;
  }
}

TEST(MemberPlan, members_of_few_rows_have_a_linear_part_beside_trees_of_both_kinds) {
  for (const std::size_t num_tasks : {1u, 2u}) {
    const TrainOptions whole = settled(some_options(num_tasks), kFewRows);
    EXPECT_EQ(complaint(whole), "");
    const GroupPlan plan = plan_groups(whole);
    EXPECT_TRUE(plan.has_linear);
    EXPECT_TRUE(has_narrow_trees(plan.groups));
    std::size_t trees = 0, alone = 0;
    for (const GroupSettings& group : plan.groups) trees += group.num_trees;
    for (const GroupSettings& group : plan_groups(some_options(num_tasks)).groups)
      alone += group.num_trees;
    EXPECT_LT(trees, alone);  // of one that has to do it by itself
  }
}

TEST(MemberPlan, several_tasks_of_thousands_of_rows_have_finer_scales) {
  const auto fine_bins = [](std::size_t num_tasks, std::size_t num_rows) {
    return settled(some_options(num_tasks), num_rows).fine_bins.value_or(0);
  };
  EXPECT_GT(fine_bins(2, 8000), 2 * fine_bins(2, 5000));
  EXPECT_EQ(fine_bins(1, 8000), fine_bins(1, 5000));
  TrainOptions said = some_options(2);
  said.fine_bins = 40;
  EXPECT_EQ(settled(said, 8000).fine_bins, 40);
  EXPECT_EQ(members_for(some_options(2), 8000), members_for(some_options(2), 5000));
}

TEST(MemberPlan, there_are_no_more_than_rows_or_groups_that_keep_together) {
  for (const std::size_t most : {2u, 3u}) {
    const TrainOptions few = settled_in_folds(most);
    EXPECT_EQ(few.members, static_cast<int>(most));
    EXPECT_TRUE(plan_groups(few).has_linear);
  }
  const TrainOptions one = settled_in_folds(1);
  EXPECT_EQ(one.members, 1);
  EXPECT_EQ(one.ensemble, "");
}

TEST(MemberPlan, tables_of_more_columns_than_rows_have_few_wide_trees) {
  const auto num_wide = [](std::size_t num_columns) {
    const TrainOptions whole =
        settle_members(some_options(), {.num_rows = kFewRows, .num_columns = num_columns});
    std::size_t count = 0;
    for (const GroupSettings& group : plan_groups(whole).groups)
      count += group.is_narrow ? 0 : group.num_trees;
    return count;
  };
  EXPECT_LT(num_wide(300), num_wide(10));
}

TEST(MemberPlan, one_of_many_rows_is_what_the_recipe_says) {
  const TrainOptions whole = settled(some_options(), kManyRows);
  EXPECT_EQ(whole.ensemble, "");
}

TEST(MemberPlan, there_is_one_where_something_else_says_which_rows_validate) {
  EXPECT_EQ(members_for(some_options(), kFewRows, /*has_table=*/true), 1);
  TrainOptions column = some_options(), fraction = some_options();
  column.valid_column = "test";
  fraction.valid_fraction = 0.1;
  for (const TrainOptions& options : {column, fraction}) {
    EXPECT_EQ(members_for(options, kFewRows), 1);
    EXPECT_EQ(settled(options, kFewRows).ensemble, "");
  }
}

TEST(MemberPlan, there_is_one_where_trees_are_counted_or_are_the_papers) {
  TrainOptions trees = some_options(), ensemble = some_options(), paper = some_options();
  trees.trees = 30;
  ensemble.ensemble = "wide=9";
  paper.recipe = "paper";
  for (const TrainOptions& options : {trees, ensemble, paper}) {
    EXPECT_EQ(members_for(options, kFewRows), 1);
    EXPECT_EQ(settled(options, kFewRows).ensemble, options.ensemble);
  }
}

TEST(MemberPlan, who_says_how_many_members_gets_them) {
  for (const int members : {1, 2, 7}) {
    for (const std::size_t num_rows : {kFewRows, kManyRows}) {
      TrainOptions options = some_options();
      options.members = members;
      EXPECT_EQ(members_for(options, num_rows), members);
      options.trees = 30;
      EXPECT_EQ(members_for(options, num_rows), members);
      EXPECT_EQ(settled(options, num_rows).ensemble, "");
    }
  }
  TrainOptions one = some_options();
  one.members = 1;
  EXPECT_EQ(settled(one, kFewRows).ensemble, "");
  one.members = 3;  // they are several small ones, too
  EXPECT_TRUE(plan_groups(settled(one, kFewRows)).has_linear);
}

TEST(MemberPlan, who_says_how_tasks_share_is_heard_by_all_members) {
  const auto num_private = [](const char* share) {
    TrainOptions options = some_options(2);
    options.share = share;
    const std::vector<GroupSettings> groups = plan_groups(settled(options, kFewRows)).groups;
    const auto count = std::count_if(groups.begin(), groups.end(),
                                     [](const GroupSettings& group) { return group.is_private; });
    return std::pair(static_cast<std::size_t>(count), groups.size());
  };
  const auto [of_none, all] = num_private("none");
  EXPECT_EQ(of_none, all);
  EXPECT_EQ(num_private("hard").first, 0u);
  EXPECT_EQ(num_private("soft").first, 0u);
  EXPECT_GT(num_private("partly").first, 0u);
  EXPECT_LT(num_private("partly").first, num_private("partly").second);
}

TEST(MemberPlan, a_column_of_folds_says_how_many_members_there_are) {
  TrainOptions options = some_options();
  options.fold_column = "fold";
  const TrainOptions whole = settled(options, kFewRows);
  EXPECT_LE(whole.members.value_or(1), 1);
  EXPECT_EQ(complaint(whole), "");
  EXPECT_TRUE(plan_groups(whole).has_linear);
  EXPECT_EQ(settled(options, kManyRows).ensemble, "");
}

}  // namespace
}  // namespace softwood
