#include "train/thin/curve_thinning.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace softwood {
namespace {

struct Curve {
  std::vector<double> places, weights;
  std::vector<float> values;

  explicit Curve(std::size_t size)
      : places(size), weights(size, 1.0 / static_cast<double>(size)), values(size) {
    for (std::size_t i = 0; i < size; ++i)
      places[i] = static_cast<double>(i) / static_cast<double>(size - 1);
  }
  CurveThinning thin() const { return thin_curve(places, weights, values); }
  std::vector<std::size_t> left_after(std::size_t count) const {
    const CurveThinning thinning = thin();
    std::vector<std::size_t> left(places.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    for (std::size_t i = 0; i < count; ++i) std::erase(left, thinning.order[i]);
    return left;
  }
};

/// Weighted mean square of what the curve through the fitted values at `kept` is off.
double error_of(const Curve& curve, const std::vector<std::size_t>& kept,
                const std::vector<double>& fitted) {
  double error = 0;
  for (std::size_t edge = 0; edge < curve.places.size(); ++edge) {
    double value = fitted.front();
    for (std::size_t i = 0; i + 1 < kept.size(); ++i) {
      const double from = curve.places[kept[i]], to = curve.places[kept[i + 1]];
      if (curve.places[edge] < from) continue;
      const double t = std::min(1.0, (curve.places[edge] - from) / (to - from));
      value = fitted[i] + t * (fitted[i + 1] - fitted[i]);
    }
    error += curve.weights[edge] * (value - curve.values[edge]) * (value - curve.values[edge]);
  }
  return error;
}

TEST(CurveThinning, edges_on_a_line_cost_nothing) {
  Curve curve(9);
  for (std::size_t i = 0; i < 9; ++i)
    curve.values[i] = static_cast<float>(i < 6 ? i : 10 - i);  // bends at 5 alone
  EXPECT_EQ(curve.thin().count(1e-9), 6u);
  EXPECT_THAT(curve.left_after(6), testing::ElementsAre(0, 5, 8));
}

TEST(CurveThinning, a_constant_needs_one_edge) {
  Curve curve(5);
  std::ranges::fill(curve.values, 2.0F);
  EXPECT_EQ(curve.thin().count(1e-12), 4u);
  EXPECT_THAT(curve.left_after(4), testing::ElementsAre(0));
  const std::vector<std::size_t> first = {0};
  EXPECT_NEAR(fitted_values(curve.places, curve.weights, curve.values, first)[0], 2, 1e-12);
}

TEST(CurveThinning, what_no_row_is_near_may_bend) {
  Curve curve(5);
  curve.values = {0, 0, 3, 0, 1};
  curve.weights = {0.3, 0.3, 1e-6, 0.3, 0.1};
  EXPECT_EQ(curve.thin().order.front(), 2u);
}

RC_GTEST_PROP(CurveThinning, errors_ascend_and_every_edge_goes_once, ()) {
  Curve curve(*rc::gen::inRange<std::size_t>(2, 40));
  for (float& value : curve.values) value = static_cast<float>(*rc::gen::inRange(-50, 50)) / 10;
  const CurveThinning thinning = curve.thin();
  std::vector<std::uint16_t> order = thinning.order;
  std::ranges::sort(order);
  RC_ASSERT(order.size() == curve.places.size() - 1);
  for (std::size_t i = 0; i < order.size(); ++i) RC_ASSERT(order[i] == i + 1);
  RC_ASSERT(std::ranges::is_sorted(thinning.errors));
}

/// The stated error is an estimate from above, of about twice what remains.
RC_GTEST_PROP(CurveThinning, least_squares_leave_about_what_is_said, ()) {
  Curve curve(*rc::gen::inRange<std::size_t>(4, 40));
  for (float& value : curve.values) value = static_cast<float>(*rc::gen::inRange(-50, 50)) / 10;
  const CurveThinning thinning = curve.thin();
  const std::size_t count = *rc::gen::inRange<std::size_t>(1, curve.places.size() - 1);
  const std::vector<std::size_t> left = curve.left_after(count);
  const std::vector<double> fitted = fitted_values(curve.places, curve.weights, curve.values, left);
  const double error = error_of(curve, left, fitted);
  RC_ASSERT(error <= 2 * thinning.errors[count - 1] + 1e-9);
  // And no other values come closer.
  for (std::size_t i = 0; i < fitted.size(); ++i) {
    for (const double step : {-1e-3, 1e-3}) {
      std::vector<double> other = fitted;
      other[i] += step;
      RC_ASSERT(error_of(curve, left, other) >= error - 1e-12);
    }
  }
}

}  // namespace
}  // namespace softwood
