#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/encoder/curve_scale.h"
#include "data/encoder/encoder.h"

namespace softwood {
namespace {

using testing::ElementsAre;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

EncodedColumn column_on(std::vector<double> edges, std::vector<std::uint32_t> coarse) {
  EncodedColumn column;
  column.edges = std::move(edges);
  column.coarse = std::move(coarse);
  return column;
}

/// The coarse position of a fine one: between two knots, as far along.
double through(const std::vector<float>& knots, float fine) {
  const std::size_t knot = std::min(static_cast<std::size_t>(fine), knots.size() - 2);
  const double fraction = static_cast<double>(fine) - static_cast<double>(knot);
  return (1 - fraction) * knots[knot] + fraction * knots[knot + 1];
}

TEST(CoarsePositions, coarse_edges_are_whole_and_the_others_lie_between) {
  const EncodedColumn column = column_on({0, 1, 4, 5, 7}, {0, 2, 4});
  EXPECT_THAT(coarse_positions(column), ElementsAre(0, 0.25F, 1, 1 + 1 / 3.0F, 2, 3));
}

TEST(CoarsePositions, a_bin_wider_than_the_largest_number_still_works) {
  const double largest = std::numeric_limits<double>::max();
  const EncodedColumn column = column_on({-largest, 0, largest}, {0, 2});
  EXPECT_THAT(coarse_positions(column), ElementsAre(0, 0.5F, 1, 2));
}

TEST(CoarsePositions, the_smallest_numbers_still_work) {
  const double least = std::numeric_limits<double>::denorm_min();
  const EncodedColumn column = column_on({0, least, 2 * least, 1}, {0, 1, 3});
  for (const float position : coarse_positions(column)) EXPECT_TRUE(std::isfinite(position));
}

RC_GTEST_PROP(CoarsePositions, of_a_value_are_those_of_the_coarse_edges, ()) {
  const auto cells = *rc::gen::resize(
      300, rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-5000, 5000))));
  std::vector<double> values;
  for (const int cell : cells) values.push_back(std::pow(cell / 100.0, 3));
  const int bins = *rc::gen::inRange(1, 17);
  const std::vector<double> coarse = equal_frequency_edges(values, bins);
  EncodedColumn column;
  column.edges = hybrid_edges(values, bins + *rc::gen::inRange(1, 100), coarse);
  for (const double edge : coarse) {
    const auto found = std::lower_bound(column.edges.begin(), column.edges.end(), edge);
    column.coarse.push_back(static_cast<std::uint32_t>(found - column.edges.begin()));
  }
  const std::vector<float> knots = coarse_positions(column);
  RC_ASSERT(knots.size() == column.edges.size() + 1);
  const double between =
      coarse.front() + *rc::gen::inRange(0, 1001) / 1000.0 * (coarse.back() - coarse.front());
  for (const double value : {between, values.front(), coarse.front(), coarse.back(),
                             coarse.front() - 1, coarse.back() + 1, kMissing}) {
    const double position = through(knots, curve_position(column.edges, value));
    RC_ASSERT(std::abs(position - curve_position(coarse, value)) <= 1e-5);
  }
}

}  // namespace
}  // namespace softwood
