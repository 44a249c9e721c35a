#include "train/prepare/examples.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "softwood/error.h"
#include "train/all_rows.h"

namespace softwood {
namespace {

using testing::ElementsAre;

Table some_table() {
  std::vector<Column> columns;
  for (const char* name : {"id", "x", "years", "w", "fold", "y"}) {
    columns.push_back({.name = name, .values = {1, 2, 0, 1}});
  }
  return Table(columns);
}

TrainOptions options_for(const char* loss) {
  TrainOptions options;
  options.tasks = {{.target = "y", .loss = loss}};
  return options;
}

std::vector<std::string> features(const TrainOptions& options) {
  const Table table = some_table();
  return choose_features(options, Tasks({make_task(options.tasks[0], {&table})}), table);
}

TEST(Examples, columns_with_another_role_are_no_features) {
  TrainOptions options = options_for("poisson(exposure=years)");
  options.drop = {"id"};
  options.weight = "w";
  options.valid_column = "fold";
  EXPECT_THAT(features(options), ElementsAre("x"));
}

TEST(Examples, a_column_that_the_loss_reads_is_a_feature_if_asked_for) {
  TrainOptions options = options_for("poisson(exposure=years)");
  options.features = {"years", "x"};
  EXPECT_THAT(features(options), ElementsAre("x", "years"));
  options.features = {"y"};
  EXPECT_THROW(features(options), Error);
}

TEST(Examples, members_get_a_fold_each) {
  const std::vector<std::uint32_t> rows = {0, 1, 2, 3};
  TrainOptions options = options_for("squared");
  options.members = 2;
  const std::vector<Split> drawn = split_rows(options, rows, some_table());
  ASSERT_EQ(drawn.size(), 2u);
  EXPECT_EQ(drawn[0].validation, drawn[1].training);
  EXPECT_EQ(drawn[0].validation.size(), 2u);

  options.members = 1;
  options.fold_column = "fold";  // 1, 2, 0, 1
  const std::vector<Split> named = split_rows(options, rows, some_table());
  ASSERT_EQ(named.size(), 3u);
  EXPECT_THAT(named[1].validation, ElementsAre(0, 3));
}

TEST(Examples, members_keep_groups_together) {
  const std::vector<std::uint32_t> rows = {0, 1, 2, 3};
  TrainOptions options = options_for("squared");
  options.members = 3;
  options.keep_together = "fold";  // 1, 2, 0, 1
  for (const Split& split : split_rows(options, rows, some_table())) {
    const auto validates = [&](std::uint32_t row) {
      return std::count(split.validation.begin(), split.validation.end(), row) == 1;
    };
    EXPECT_EQ(validates(0), validates(3));
  }
}

TEST(Examples, there_are_as_many_folds_as_members_or_more_if_each_validates_on_less) {
  TrainOptions options = options_for("squared");
  EXPECT_EQ(num_folds(options), 1u);
  options.members = 4;
  EXPECT_EQ(num_folds(options), 4u);
  options.valid_fraction = 0.25;
  EXPECT_EQ(num_folds(options), 4u);
  options.valid_fraction = 0.1;
  EXPECT_EQ(num_folds(options), 10u);
  options.valid_fraction = 0.3;  // rounded to three folds, which would not go round
  EXPECT_EQ(num_folds(options), 4u);
  options.valid_fraction = 0;
  EXPECT_EQ(num_folds(options), 4u);
}

TEST(Examples, members_that_validate_on_less_all_learn_from_the_other_rows) {
  const Table table({Column{.name = "y", .values = std::vector<double>(100)}});
  TrainOptions options = options_for("squared");
  options.members = 3;
  options.valid_fraction = 0.1;
  const std::vector<Split> splits = split_rows(options, all_rows(100), table);
  ASSERT_EQ(splits.size(), 3u);
  std::set<std::uint32_t> validated;
  for (const Split& split : splits) {
    EXPECT_EQ(split.validation.size(), 10u);
    EXPECT_EQ(split.training.size(), 90u);
    validated.insert(split.validation.begin(), split.validation.end());
  }
  EXPECT_EQ(validated.size(), 30u);
}

TEST(Examples, the_column_of_folds_is_no_feature) {
  TrainOptions options = options_for("squared");
  options.fold_column = "fold";
  EXPECT_THAT(features(options), ElementsAre("id", "x", "years", "w"));
}

TEST(Examples, chosen_rows_are_taken_from_everything) {
  Rows rows{.num_rows = 3, .num_columns = 2, .positions = {0, 1, 2, 10, 11, 12}};
  const std::vector<Responses> responses = {Responses{.y = {5, 6, 7}, .columns = {{1, 2, 3}}}};
  const std::vector<std::uint32_t> chosen = {2, 0};
  const Examples examples = select_examples(rows.view(), responses, {0.5, 1, 1.5}, chosen);
  EXPECT_THAT(examples.rows, ElementsAre(2, 0));
  EXPECT_EQ(examples.positions.data, rows.positions.data());  // no copy
  EXPECT_THAT(examples.responses[0].y, ElementsAre(7, 5));
  EXPECT_THAT(examples.responses[0].columns[0], ElementsAre(3, 1));
  EXPECT_THAT(examples.weights, ElementsAre(1.5, 0.5));
}

TEST(Examples, a_negative_weight_is_named) {
  TrainOptions options = options_for("squared");
  options.weight = "w";
  const Table table({Column{.name = "w", .values = {1, -1}}});
  try {
    read_weights(options, table);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("data row 2: the weight in column 'w' is '-1'"));
  }
}

}  // namespace
}  // namespace softwood
