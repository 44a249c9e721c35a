#include "train/settings.h"

#include <gtest/gtest.h>

#include "softwood/error.h"

namespace softwood {
namespace {

TrainOptions some_options() {
  return {.tasks = {{.target = "y"}}};
}

std::string complaint(const TrainOptions& options) {
  try {
    validate(options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Settings, batches_grow_with_the_table) {
  const TrainOptions options = some_options();
  EXPECT_EQ(make_settings(options, 1000).batch_size, 32u);
  EXPECT_EQ(make_settings(options, 2000).batch_size, 64u);
  EXPECT_EQ(make_settings(options, 10000).batch_size, 128u);
  EXPECT_EQ(make_settings(options, 50000).batch_size, 256u);
  EXPECT_EQ(make_settings(options, 500000).batch_size, 1024u);
  EXPECT_EQ(make_settings(options, 7).batch_size, 7u);
}

TEST(Settings, small_tables_get_enough_steps) {
  const Settings settings = make_settings(some_options(), 100);
  EXPECT_GE(settings.epochs * settings.steps_per_epoch, 1000u);
  EXPECT_EQ(make_settings(some_options(), 50000).epochs, 40);
}

TEST(Settings, the_user_wins_over_the_recipe) {
  TrainOptions options = some_options();
  options.recipe = "paper";
  options.depth = 2;
  options.learning_rate = 0.5;
  const Settings settings = make_settings(options, 1000);
  EXPECT_TRUE(settings.linear);
  EXPECT_EQ(settings.activation, Activation::smooth_step);
  EXPECT_EQ(settings.depth, 2);
  EXPECT_EQ(settings.learning_rate, 0.5);
  EXPECT_EQ(settings.leaf_learning_rate, 0.5);
}

TEST(Settings, values_out_of_range_are_named) {
  TrainOptions options = some_options();
  EXPECT_EQ(complaint(options), "");
  options.depth = 11;
  EXPECT_EQ(complaint(options), "depth is 11, but must be 1 to 10.");
  options = some_options();
  options.learning_rate = 0;
  EXPECT_EQ(complaint(options), "learning-rate is 0, but must be positive.");
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
  options.group = "patient";
  EXPECT_NE(complaint(options).find("valid-column"), std::string::npos);
  options = some_options();
  options.patience = 3;
  options.valid_fraction = 0;
  EXPECT_NE(complaint(options).find("patience"), std::string::npos);
}

}  // namespace
}  // namespace softwood
