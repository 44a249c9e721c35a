#include "train/start/prepared_group.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "softwood/error.h"
#include "train/choices/validate.h"

namespace softwood {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

/// 2,400 rows; every response of z but those of the first 100 rows is missing.
Table some_table() {
  const RandomStream random(4, "prepared group test");
  Column a{.name = "a"}, b{.name = "b"}, y{.name = "y"}, z{.name = "z"};
  for (std::size_t row = 0; row < 2400; ++row) {
    a.values.push_back(random.uniform(2 * row));
    b.values.push_back(random.uniform(2 * row + 1));
    y.values.push_back(std::sin(6 * a.values[row]) + b.values[row]);
    z.values.push_back(row < 100 ? y.values[row] > 1 ? 1.0 : 0.0
                                 : std::numeric_limits<double>::quiet_NaN());
  }
  return Table({a, b, y, z});
}

std::vector<PreparedGroup> groups_for(TrainOptions options) {
  static const Table table = some_table();
  options.tasks = {{.target = "y", .loss = "normal"}, {.target = "z"}};
  options.members = 1;
  options.threads = 1;
  const Words words{.note = [](const std::string&) {}, .warn = [](const std::string&) {}};
  validate(options);
  const Preparation ready = prepare(table, nullptr, options, words);
  const TrainingAndValidation sides = ready.sides(0);
  return prepare_groups(ready.settings, ready,
                        {.whole = sides.training, .rest = sides.training, .first = sides.training});
}

TrainOptions sharing(const char* name) {
  TrainOptions options;
  options.share = name;
  return options;
}

TEST(PreparedGroups, shared_trees_learn_all_tasks) {
  const std::vector<PreparedGroup> groups = groups_for(sharing("hard"));
  ASSERT_THAT(groups, SizeIs(3));
  for (const PreparedGroup& group : groups) {
    EXPECT_EQ(group.tasks.size(), 2u);
    EXPECT_EQ(group.initial.ensemble.shape().num_outputs, 3u);  // mean, log sd; logit
    EXPECT_EQ(group.initial.parameters.size(), group.initial.ensemble.buffer_size());
  }
  EXPECT_FALSE(groups[0].group.is_narrow);
  EXPECT_TRUE(groups[1].group.is_narrow);
}

TEST(PreparedGroups, private_trees_learn_one_task_with_batches_for_its_rows) {
  const std::vector<PreparedGroup> groups = groups_for(sharing("none"));
  ASSERT_THAT(groups, SizeIs(6));
  for (std::size_t index = 0; index < groups.size(); ++index) {
    ASSERT_EQ(groups[index].tasks.size(), 1u);
    EXPECT_EQ(groups[index].tasks[0].index_in_model, index % 2);
    EXPECT_EQ(groups[index].tasks[0].first_output, 0u);
    EXPECT_EQ(groups[index].initial.ensemble.shape().num_outputs, index % 2 == 0 ? 2u : 1u);
  }
  EXPECT_EQ(groups[0].settings.batch_size, 64u);
  EXPECT_EQ(groups[1].settings.batch_size, 32u);  // of the 80 or so rows that have z
  EXPECT_LT(groups[1].settings.steps_per_epoch, 5u);
}

TEST(PreparedGroups, soft_sharing_gives_each_task_its_copy_of_the_splits) {
  const std::vector<PreparedGroup> groups = groups_for(sharing("soft"));
  for (const PreparedGroup& group : groups) {
    EXPECT_EQ(group.initial.num_coupled, 2u);
    const std::vector<Bundle>& bundles = group.initial.ensemble.shape().bundles;
    ASSERT_EQ(bundles.size() % 2, 0u);
    EXPECT_EQ(bundles[0].columns, bundles[1].columns);
    EXPECT_EQ(bundles[0].num_outputs, 2u);
    EXPECT_EQ(bundles[1].num_outputs, 1u);
  }
}

TEST(PreparedGroups, separate_components_have_splits_of_their_own) {
  TrainOptions options = sharing("none");
  options.components = "separate";
  for (const PreparedGroup& group : groups_for(options)) {
    EXPECT_EQ(group.initial.num_coupled, 1u);
    for (const Bundle& bundle : group.initial.ensemble.shape().bundles)
      EXPECT_EQ(bundle.num_outputs, 1u);
  }
}

TEST(PreparedGroups, groups_of_one_kind_start_differently) {
  const std::vector<PreparedGroup> groups = groups_for(sharing("hard"));
  EXPECT_NE(groups[1].initial.parameters, groups[2].initial.parameters);
}

/// The groups of one of five members, of 200 rows and so many columns.
std::vector<PreparedGroup> groups_of_member(std::size_t member, std::size_t num_columns,
                                            TrainOptions options = {}) {
  const RandomStream random(5, "columns");
  std::vector<Column> columns(num_columns + 1, {.name = "y"});
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (c > 0) columns[c].name = "x" + std::to_string(c);
    for (std::size_t row = 0; row < 200; ++row)
      columns[c].values.push_back(random.uniform(200 * c + row));
  }
  options.tasks = {{.target = "y", .loss = "squared"}};
  options.ensemble = "wide=2,narrow=2";
  if (!options.members) options.members = 5;
  options.threads = 1;
  const Words words{.note = [](const std::string&) {}, .warn = [](const std::string&) {}};
  const Preparation ready = prepare(Table(columns), nullptr, options, words);
  const TrainingAndValidation first = ready.sides(0), own = ready.sides(member);
  return prepare_groups(ready.settings, ready,
                        {.whole = own.training, .rest = own.training, .first = first.training});
}

TEST(PreparedGroups, wide_trees_of_more_columns_than_rows_are_held_back) {
  const std::vector<PreparedGroup> few = groups_of_member(0, 3), many = groups_of_member(0, 300);
  EXPECT_GT(many[0].group.decay, 2 * few[0].group.decay);
  EXPECT_EQ(many[1].group.decay, few[1].group.decay);  // narrow ones see few as it is
  EXPECT_EQ(groups_of_member(3, 300)[0].group.decay, many[0].group.decay);
  const double between = groups_of_member(0, 120)[0].group.decay;
  EXPECT_GT(between, few[0].group.decay);
  EXPECT_LT(between, many[0].group.decay);
}

TEST(PreparedGroups, who_says_how_fast_weights_decay_is_heard_however_many_columns_there_are) {
  TrainOptions options;
  options.decay = 0.125;
  EXPECT_EQ(groups_of_member(0, 300, options)[0].group.decay, 0.125);
}

TEST(PreparedGroups, one_member_alone_is_not_held_back) {
  TrainOptions options;
  options.members = 1;
  EXPECT_EQ(groups_of_member(0, 300, options)[0].group.decay,
            groups_of_member(0, 3)[0].group.decay);
}

TEST(PreparedGroups, trees_that_no_machine_holds_are_refused_before_they_are_made) {
  TrainOptions options = sharing("hard");
  options.trees = 1000000;
  options.depth = 10;
  try {
    groups_for(options);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("GB to train, and the machine has"));
  }
}

TEST(PreparedGroups, trees_that_are_counted_must_suffice_for_outputs_of_their_own) {
  TrainOptions options = sharing("none");
  options.components = "separate";
  options.trees = 2;
  try {
    groups_for(options);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("outputs that have their own"));
  }
}

}  // namespace
}  // namespace softwood
