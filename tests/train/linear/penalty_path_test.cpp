#include "train/linear/penalty_path.h"

#include <cmath>

#include <gtest/gtest.h>

namespace softwood {
namespace {

/// Tries penalties until the path has enough; the losses are a function of log10(penalty).
template <class Loss>
PenaltyPath walk(double constant_loss, const Loss& loss, int& count) {
  PenaltyPath path(1, constant_loss);
  for (count = 0; path.next(); ++count) path.add(loss(std::log10(*path.next())));
  return path;
}

TEST(PenaltyPath, goes_from_large_to_small_and_finds_the_least_loss) {
  int count = 0;
  const PenaltyPath path = walk(
      10, [](double x) { return (x + 2) * (x + 2); }, count);
  ASSERT_TRUE(path.best());
  EXPECT_NEAR(std::log10(*path.best()), -2, 0.31);
}

TEST(PenaltyPath, ends_when_the_loss_has_clearly_risen) {
  int count = 0;
  walk(
      10, [](double x) { return x * x; }, count);
  EXPECT_LT(count, 8);
  EXPECT_GE(count, 4);
}

TEST(PenaltyPath, ends_when_penalties_make_no_difference) {
  int count = 0;
  walk(
      10, [](double x) { return std::max(x, -2.0); }, count);
  EXPECT_LT(count, 11);
}

TEST(PenaltyPath, weights_of_zero_may_be_the_best) {
  int count = 0;
  EXPECT_FALSE(walk(
                   0.5, [](double) { return 0.6; }, count)
                   .best());
  EXPECT_FALSE(walk(
                   0.5, [](double) { return std::nan(""); }, count)
                   .best());
}

}  // namespace
}  // namespace softwood
