#include "model/evaluate/metrics.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace softwood {
namespace {

using Numbers = std::vector<double>;

TEST(Metrics, errors_of_known_numbers) {
  const Numbers y = {1, 2, 3}, predicted = {1, 4, 2};
  EXPECT_DOUBLE_EQ(root_mean_square_error(y, predicted), std::sqrt(5.0 / 3));
  EXPECT_DOUBLE_EQ(mean_absolute_error(y, predicted), 1);
  EXPECT_DOUBLE_EQ(r_squared(y, predicted), 1 - 5.0 / 2);
  EXPECT_TRUE(std::isnan(r_squared(Numbers{2, 2}, Numbers{1, 3})));
}

TEST(Metrics, poisson_deviance_is_zero_only_for_the_truth) {
  EXPECT_DOUBLE_EQ(poisson_deviance(Numbers{1, 3}, Numbers{1, 3}), 0);
  EXPECT_DOUBLE_EQ(poisson_deviance(Numbers{0}, Numbers{2}), 4);
  EXPECT_NEAR(poisson_deviance(Numbers{2}, Numbers{1}), 2 * (2 * std::log(2.0) - 1), 1e-12);
}

TEST(Metrics, classes_are_scored_by_their_probabilities) {
  const std::vector<std::uint32_t> classes = {0, 1, 1};
  const Numbers probabilities = {0.9, 0.2, 0.6, 0.1, 0.8, 0.4};
  const MatrixView<const double> view(probabilities.data(), 2, 3);
  EXPECT_NEAR(log_loss(classes, view), -(std::log(0.9) + std::log(0.8) + std::log(0.4)) / 3, 1e-12);
  EXPECT_NEAR(accuracy(classes, view), 2.0 / 3, 1e-12);
}

TEST(Metrics, area_under_curve_counts_pairs_and_halves_ties) {
  const std::vector<char> positive = {0, 1, 0, 1};
  EXPECT_DOUBLE_EQ(area_under_curve(positive, Numbers{1, 2, 3, 4}), 0.75);
  EXPECT_DOUBLE_EQ(area_under_curve(positive, Numbers{1, 1, 1, 1}), 0.5);
  EXPECT_DOUBLE_EQ(area_under_curve(positive, Numbers{2, 2, 1, 3}), 0.875);
  EXPECT_TRUE(std::isnan(area_under_curve(std::vector<char>{1, 1}, Numbers{1, 2})));
}

TEST(Metrics, calibration_bins_hold_every_row_once) {
  Numbers y, predicted;
  for (int row = 0; row < 105; ++row) {
    predicted.push_back(row % 21);
    y.push_back(row % 21 + 1);
  }
  std::size_t rows = 0;
  double before = -1;
  for (const auto& bin : calibration(y, predicted)) {
    rows += bin.num_rows;
    EXPECT_NEAR(bin.observed, bin.predicted + 1, 1e-12);
    EXPECT_GT(bin.predicted, before);
    before = bin.predicted;
  }
  EXPECT_EQ(rows, 105u);
}

/// Every pair, one by one.
double concordance_by_pairs(const Numbers& y, const std::vector<char>& censored,
                            const Numbers& predicted) {
  double agree = 0, pairs = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t j = 0; j < y.size(); ++j) {
      const bool known = censored[i] == 0 && (y[i] < y[j] || (y[i] == y[j] && censored[j] != 0));
      if (!known) continue;
      ++pairs;
      agree += predicted[i] < predicted[j] ? 1 : predicted[i] == predicted[j] ? 0.5 : 0;
    }
  }
  return agree / pairs;
}

TEST(Metrics, concordance_counts_the_pairs_whose_order_is_known) {
  EXPECT_DOUBLE_EQ(concordance(Numbers{1, 2, 3}, std::vector<char>{0, 0, 0}, Numbers{5, 6, 7}), 1);
  EXPECT_DOUBLE_EQ(concordance(Numbers{1, 2, 3}, std::vector<char>{0, 0, 0}, Numbers{7, 6, 5}), 0);
  // Who left at 1 may have lived longer than anyone.
  EXPECT_TRUE(std::isnan(concordance(Numbers{1, 2}, std::vector<char>{1, 0}, Numbers{1, 2})));
  const RandomStream random(2, "concordance");
  std::uint64_t counter = 0;
  for (int repeat = 0; repeat < 20; ++repeat) {
    Numbers y, predicted;
    std::vector<char> censored;
    for (int row = 0; row < 60; ++row) {
      y.push_back(static_cast<double>(random.below(counter++, 25)));
      predicted.push_back(static_cast<double>(random.below(counter++, 10)));
      censored.push_back(random.below(counter++, 3) == 0 ? 1 : 0);
    }
    EXPECT_NEAR(concordance(y, censored, predicted), concordance_by_pairs(y, censored, predicted),
                1e-12);
  }
}

}  // namespace
}  // namespace softwood
