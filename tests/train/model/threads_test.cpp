// One model, many threads: what the thread sanitizer is to look at (./dev test tsan).
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_table.h"
#include "softwood/train.h"

namespace softwood {
namespace {

TrainOptions several_members() {
  TrainOptions options = quick_options("y", "normal");
  options.trees.reset();
  options.ensemble = "linear,wide=4,rest_narrow=6";
  options.members = 3;
  options.threads = 4;
  return options;
}

TEST(Threads, predict_from_one_model_side_by_side_and_say_the_same) {
  const Table table = synthetic_table(300);
  const Model model = train(table, several_members());
  const auto answers = [&] {
    return model.predict(table, {.quantiles = {0.1, 0.9}, .threads = 2}).table();
  };
  const Table alone = answers();
  constexpr std::size_t kThreads = 8;
  std::vector<Table> told(kThreads);
  std::vector<std::thread> threads;
  for (Table& each : told) threads.emplace_back([&] { each = answers(); });
  for (std::thread& thread : threads) thread.join();
  for (const Table& each : told) {
    for (const Column& column : alone.columns())
      EXPECT_EQ(each.column(column.name).values.to_vector(), column.values.to_vector());
  }
}

TEST(Threads, train_and_go_on_side_by_side_to_the_same_bytes) {
  const Table table = synthetic_table(200);
  const Model first = train(table, several_members());
  const auto on = [&] {
    return train({.table = &table, .start_from = &first}, TrainOptions{}).to_bytes();
  };
  const std::string alone = on();
  std::vector<std::string> told(2);
  std::vector<std::thread> threads;
  for (std::string& each : told) threads.emplace_back([&] { each = on(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(told, testing::Each(alone));
}

}  // namespace
}  // namespace softwood
