#include "train/choices/settings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "train/complaint.h"

namespace softwood {
namespace {

TrainOptions some_options() {
  return {.tasks = {{.target = "y"}}};
}

TEST(Settings, batches_grow_with_the_table) {
  const TrainOptions options = some_options();
  EXPECT_EQ(make_settings(options, 1000, true).batch_size, 32u);
  EXPECT_EQ(make_settings(options, 2000, true).batch_size, 64u);
  EXPECT_EQ(make_settings(options, 10000, true).batch_size, 128u);
  EXPECT_EQ(make_settings(options, 50000, true).batch_size, 256u);
  EXPECT_EQ(make_settings(options, 500000, true).batch_size, 1024u);
  EXPECT_EQ(make_settings(options, 7, true).batch_size, 7u);
}

TEST(Settings, small_tables_get_enough_steps) {
  const Settings settings = make_settings(some_options(), 100, true);
  EXPECT_GE(settings.epochs * settings.steps_per_epoch, 1000u);
  EXPECT_GT(settings.epochs, make_settings(some_options(), 50000, true).epochs);
  TrainOptions options = some_options();
  options.epochs = 3;
  EXPECT_EQ(make_settings(options, 100, true).epochs, 3);
}

TEST(Settings, the_user_wins_over_the_recipe) {
  TrainOptions options = some_options();
  options.recipe = "paper";
  options.depth = 2;
  options.learning_rate = 0.5;
  const Settings settings = make_settings(options, 1000, true);
  EXPECT_TRUE(settings.linear);
  EXPECT_EQ(settings.activation, Activation::smooth_step);
  EXPECT_EQ(settings.depth, 2);
  ASSERT_EQ(settings.groups.size(), 1u);
  EXPECT_EQ(settings.groups[0].learning_rate, 0.5);
  EXPECT_EQ(settings.groups[0].leaf_learning_rate, 0.5);
}

TEST(Settings, values_out_of_range_are_named) {
  TrainOptions options = some_options();
  EXPECT_EQ(complaint(options), "");
  options.depth = 13;
  EXPECT_EQ(complaint(options), "depth is 13, but must be 1 to 12, or auto.");
  options = some_options();
  options.learning_rate = 0;
  EXPECT_EQ(complaint(options), "learning-rate is 0, but must be positive, or auto.");
  options = some_options();
  for (const double gamma : {1e39, 1e-50, 0.0, -1.0}) {
    options.gamma = gamma;
    options.activation = "smooth_step";
    EXPECT_NE(complaint(options).find("but must be 1e-6 to 1e6, or auto."), std::string::npos)
        << gamma;
  }
  options = some_options();
  options.valid_fraction = 1;
  EXPECT_NE(complaint(options).find("valid-fraction"), std::string::npos);
  EXPECT_NE(complaint({}).find("--target"), std::string::npos);
}

TEST(Settings, options_without_effect_are_refused) {
  TrainOptions options = some_options();
  options.gamma = 2;
  EXPECT_NE(complaint(options).find("gamma"), std::string::npos);
  options.activation = "smooth_step";
  EXPECT_EQ(complaint(options), "");
  options.valid_column = "fold";
  options.keep_together = "patient";
  EXPECT_NE(complaint(options).find("valid-column"), std::string::npos);
  options = some_options();
  options.patience = 3;
  options.valid_fraction = 0;
  EXPECT_NE(complaint(options).find("patience"), std::string::npos);
}

TEST(Settings, members_say_which_rows_validate) {
  TrainOptions options = some_options();
  options.members = 5;
  EXPECT_EQ(complaint(options), "");
  options.keep_together = "patient";
  EXPECT_EQ(complaint(options), "");
  for (const double fraction : {0.2, 0.1}) {  // a fold each, or less
    options.valid_fraction = fraction;
    EXPECT_EQ(complaint(options), "");
  }
  for (const double fraction : {0.0, 0.21, 0.5}) {
    options.valid_fraction = fraction;
    EXPECT_EQ(complaint(options),
              fmt::format("valid-fraction is {}, but 5 members validate on a fold each: it must be "
                          "above 0 and at most 0.2.",
                          fraction));
  }
  options = some_options();
  options.members = 5;
  options.valid_column = "test";
  EXPECT_EQ(complaint(options), "members validate on their folds: leave out valid-column.");
  options = some_options();
  options.fold_column = "fold";
  EXPECT_EQ(complaint(options), "");
  options.valid_fraction = 0.1;
  EXPECT_EQ(complaint(options), "fold-column says which rows validate: leave out valid-fraction.");
  options.valid_fraction.reset();
  options.members = 5;
  EXPECT_NE(complaint(options).find("fold-column"), std::string::npos);
  options.members = 1;
  options.keep_together = "patient";
  EXPECT_NE(complaint(options).find("fold-column"), std::string::npos);
  options = some_options();
  for (const int members : {0, 101}) {
    options.members = members;
    EXPECT_NE(complaint(options).find("members"), std::string::npos);
  }
}

TEST(Settings, a_doubling_schedule_begins_with_a_short_cycle) {
  TrainOptions options = some_options();
  options.schedule = "doubling";
  for (const std::size_t num_rows : {100u, 2000u, 50000u}) {
    const Settings settings = make_settings(options, num_rows, true);
    EXPECT_GE(settings.cycle_epochs, 1);
    EXPECT_GE(settings.epochs, 15 * settings.cycle_epochs);
    EXPECT_DOUBLE_EQ(settings.schedule.cycle_steps,
                     settings.cycle_epochs * static_cast<double>(settings.steps_per_epoch));
    // Without validation rows nobody says when to stop, so four cycles are all.
    EXPECT_EQ(make_settings(options, num_rows, false).epochs, 15 * settings.cycle_epochs);
  }
  options.epochs = 30;  // four cycles of 2, 4, 8 and 16 epochs
  EXPECT_EQ(make_settings(options, 2000, true).epochs, 30);
  EXPECT_DOUBLE_EQ(make_settings(options, 2000, true).cycle_epochs, 2);
  options.schedule = "cosine";
  EXPECT_EQ(make_settings(options, 2000, true).cycle_epochs, 0);
}

TEST(Settings, a_member_takes_as_many_steps_as_the_first_and_has_a_seed_of_its_own) {
  TrainOptions options = some_options();
  options.seed = 5;
  options.threads = 3;
  const Settings first = make_settings(options, 2000, true);
  const Settings second = settings_for_member(first, 5, 1, 2100);
  EXPECT_EQ(second.steps_per_epoch, first.steps_per_epoch);
  EXPECT_GE(second.batch_size * second.steps_per_epoch, 2100u);
  EXPECT_NE(settings_for_member(first, 5, 0, 2000).seed, second.seed);
  EXPECT_NE(settings_for_member(first, 6, 1, 2100).seed, second.seed);
  Settings same = second;
  same.seed = first.seed;
  same.batch_size = first.batch_size;
  EXPECT_TRUE(same == first);
}

TEST(Settings, as_many_steps_of_other_rows_are_steps_of_another_size) {
  Settings settings = make_settings(some_options(), 1000, true);
  const std::size_t steps = settings.steps_per_epoch;
  keep_steps(settings, 1000);
  EXPECT_EQ(settings.batch_size, 32u);
  for (const std::size_t num_rows : {1u, 31u, 32u, 33u, 500u, 5000u}) {
    keep_steps(settings, num_rows);
    EXPECT_EQ(settings.steps_per_epoch, steps);
    EXPECT_GE(settings.batch_size * steps, num_rows);
    EXPECT_LT((settings.batch_size - 1) * steps, num_rows);
  }
  keep_steps(settings, 0);
  EXPECT_EQ(settings.batch_size, 1u);
}

TEST(Settings, a_private_group_goes_by_its_own_rows_and_has_nobody_to_be_coupled_to) {
  TrainOptions options = some_options();
  options.tasks.push_back({.target = "z"});
  options.share = "soft";
  Settings shared = make_settings(options, 50000, true);
  shared.seed = 77;
  shared.threads = 2;
  const Settings own = settings_for_private_group(options, shared, 1000, true);
  EXPECT_TRUE(shared.couples_tasks);
  EXPECT_FALSE(own.couples_tasks);
  EXPECT_EQ(own.batch_size, make_settings(options, 1000, true).batch_size);
  EXPECT_EQ(own.seed, 77u);
  EXPECT_EQ(own.threads, 2);
  EXPECT_EQ(settings_for_private_group(options, shared, 0, true).batch_size, 1u);
  options.components = "separate";
  EXPECT_TRUE(settings_for_private_group(options, shared, 1000, true).couples_tasks);
}

}  // namespace
}  // namespace softwood
