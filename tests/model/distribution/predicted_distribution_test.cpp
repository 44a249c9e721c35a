#include "softwood/predicted_distribution.h"

#include <thread>

#include <gtest/gtest.h>

#include "model/file/version_3.h"

namespace softwood {
namespace {

TEST(PredictedDistribution, answers_are_those_of_predict) {
  const Model model = version_3_model();
  const Table table = version_3_table(model);
  const Predictions expected =
      model.predict(table, {.quantiles = {0.9}, .samples = 3, .seed = 5, .moments = true});
  const PredictedDistribution distribution = model.distribution(table);
  const auto column = [&](const char* name) {
    return std::vector<double>(expected[name].begin(), expected[name].end());
  };
  EXPECT_EQ(distribution.target(), "y");
  EXPECT_EQ(distribution.quantile(0.9), column("y.quantile_0.9"));
  EXPECT_EQ(distribution.mean(), column("y.mean"));
  EXPECT_EQ(distribution.variance(), column("y.variance"));
  EXPECT_EQ(distribution.sample(5, 2), column("y.sample_3"));
}

TEST(PredictedDistribution, draws_at_once_are_the_same_as_one_by_one) {
  const Model model = version_3_model();
  const PredictedDistribution distribution = model.distribution(version_3_table(model), "y", 2);
  const std::vector<double> all = distribution.samples(3, 4);
  ASSERT_EQ(all.size(), 4 * distribution.num_rows());
  for (std::size_t draw = 0; draw < 4; ++draw) {
    const std::vector<double> one = distribution.sample(3, draw);
    for (std::size_t row = 0; row < one.size(); ++row) ASSERT_EQ(all[row * 4 + draw], one[row]);
  }
  EXPECT_TRUE(distribution.samples(3, 0).empty());
}

TEST(PredictedDistribution, answers_many_threads_at_once_and_outlives_its_model) {
  std::vector<PredictedDistribution> kept;
  {
    const Model model = version_3_model();
    kept.push_back(model.distribution(version_3_table(model), "y", 2));
  }
  const std::vector<double> expected = kept[0].quantile(0.3);
  std::vector<std::vector<double>> found(8);
  std::vector<std::thread> threads;
  for (auto& answer : found) threads.emplace_back([&] { answer = kept[0].quantile(0.3); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& answer : found) EXPECT_EQ(answer, expected);
}

}  // namespace
}  // namespace softwood
