#include "train/warm/warm_options.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "softwood/error.h"

namespace softwood {
namespace {

using testing::HasSubstr;

TrainOptions of_model() {
  TrainOptions options;
  options.tasks = {{.target = "y", .loss = "huber(delta=2)", .weight = 2}};
  options.depth = 4;
  options.epochs = 50;
  options.learning_rate = 0.5;
  options.drop = {"id"};
  return options;
}

std::string complaint_of(const std::function<void(TrainOptions&)>& change) {
  TrainOptions given;
  change(given);
  try {
    warm_options(of_model(), given);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(WarmOptions, are_the_models_but_for_the_steps) {
  const TrainOptions options = warm_options(of_model(), {});
  EXPECT_EQ(options.tasks[0].loss, "huber(delta=2)");
  EXPECT_EQ(options.tasks[0].weight, 2);
  EXPECT_EQ(options.depth, 4);
  EXPECT_EQ(options.drop, std::vector<std::string>{"id"});
  EXPECT_FALSE(options.epochs.has_value());
  EXPECT_FALSE(options.learning_rate.has_value());
}

TEST(WarmOptions, what_is_said_now_of_steps_rows_and_threads_wins) {
  TrainOptions given;
  given.epochs = 7;
  given.threads = 3;
  given.seed = 11;
  given.weight = "w";
  const TrainOptions options = warm_options(of_model(), given);
  EXPECT_EQ(options.epochs, 7);
  EXPECT_EQ(options.threads, 3);
  EXPECT_EQ(options.seed, 11u);
  EXPECT_EQ(options.weight, "w");
}

TEST(WarmOptions, marked_rows_validate_instead_of_a_share) {
  TrainOptions model = of_model();
  model.valid_fraction = 0.3;
  TrainOptions given;
  given.valid_column = "late";
  const TrainOptions options = warm_options(model, given);
  EXPECT_EQ(options.valid_column, "late");
  EXPECT_FALSE(options.valid_fraction.has_value());
}

TEST(WarmOptions, another_model_is_refused_by_the_options_name) {
  EXPECT_THAT(complaint_of([](TrainOptions& given) { given.depth = 3; }), HasSubstr("--depth"));
  EXPECT_THAT(complaint_of([](TrainOptions& given) { given.members = 2; }), HasSubstr("--members"));
  EXPECT_THAT(complaint_of([](TrainOptions& given) { given.trees = 9; }), HasSubstr("--trees"));
  EXPECT_EQ(complaint_of([](TrainOptions& given) { given.depth = 4; }), "");
}

TEST(WarmOptions, other_tasks_are_refused_with_those_that_the_model_has) {
  const auto with = [](std::string target, std::string loss) {
    return complaint_of(
        [=](TrainOptions& given) { given.tasks = {{.target = target, .loss = loss}}; });
  };
  EXPECT_THAT(with("z", ""), HasSubstr("learned y by huber(delta=2)"));
  EXPECT_THAT(with("y", "squared"), HasSubstr("huber(delta=2)"));
  EXPECT_EQ(with("y", ""), "");
  EXPECT_EQ(with("y", "huber(delta=2)"), "");
}

}  // namespace
}  // namespace softwood
