#include <algorithm>
#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/encoder/curve_scale.h"

namespace softwood {
namespace {

using testing::ElementsAre;

std::vector<double> fine_edges(const std::vector<double>& values, int bins, int coarse_bins) {
  return hybrid_edges(values, bins, equal_frequency_edges(values, coarse_bins));
}

/// Nine in ten values below 1, the others up to 1000, ever more thinly.
std::vector<double> skewed_values(int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const double u = (i + 0.5) / count;
    values.push_back(u < 0.9 ? u / 0.9 : std::pow(1000, (u - 0.9) / 0.1));
  }
  return values;
}

TEST(HybridEdges, few_distinct_values_are_all_edges) {
  EXPECT_THAT(fine_edges({3, 1, 2, 1, 5, 4, 1}, 8, 2), ElementsAre(1, 2, 3, 4, 5));
}

TEST(HybridEdges, a_single_value_keeps_the_two_edges_around_it) {
  EXPECT_EQ(fine_edges({2, 2}, 32, 16), equal_frequency_edges({2, 2}, 16));
}

TEST(HybridEdges, a_sparse_tail_gets_edges_of_its_own) {
  // One value is met a thousand times, a hundred others once: quantiles alone hardly see them.
  std::vector<double> values(1000, 0.0);
  for (int i = 1; i <= 100; ++i) values.push_back(i);
  const std::vector<double> edges = fine_edges(values, 30, 1);
  const auto in_tail = std::count_if(edges.begin(), edges.end(), [](double e) { return e > 0; });
  EXPECT_GE(in_tail, 10);
  double widest = 0;
  for (std::size_t bin = 0; bin + 1 < edges.size(); ++bin) {
    widest = std::max(widest, edges[bin + 1] - edges[bin]);
  }
  EXPECT_LE(widest, 11);
}

TEST(HybridEdges, crowded_and_sparse_regions_are_both_resolved) {
  const std::vector<double> values = skewed_values(3000);
  const std::vector<double> edges = fine_edges(values, 60, 4);
  const auto crowded = std::count_if(edges.begin(), edges.end(), [](double e) { return e < 1; });
  EXPECT_GE(crowded, 36);
  EXPECT_GE(edges.size() - static_cast<std::size_t>(crowded), 4u);
}

/// Few different numbers, or many.
rc::Gen<std::vector<double>> samples() {
  return rc::gen::withSize([](int) {
    const auto coarse = rc::gen::map(rc::gen::inRange(-20, 20), [](int n) { return n / 4.0; });
    const auto fine = rc::gen::map(rc::gen::inRange(-1000000, 1000000),
                                   [](int n) { return std::pow(n / 1000.0, 3); });
    return rc::gen::resize(
        400,
        rc::gen::nonEmpty(rc::gen::container<std::vector<double>>(rc::gen::oneOf(coarse, fine))));
  });
}

RC_GTEST_PROP(HybridEdges, ascend_and_have_the_coarse_edges_among_them, ()) {
  const auto values = *samples();
  const int coarse_bins = *rc::gen::inRange(1, 17);
  const int bins = coarse_bins + *rc::gen::inRange(1, 120);
  const std::vector<double> coarse = equal_frequency_edges(values, coarse_bins);
  const std::vector<double> edges = hybrid_edges(values, bins, coarse);
  RC_ASSERT(std::adjacent_find(edges.begin(), edges.end(), std::greater_equal<>()) == edges.end());
  RC_ASSERT(std::includes(edges.begin(), edges.end(), coarse.begin(), coarse.end()));
  RC_ASSERT(edges.front() == coarse.front());
  RC_ASSERT(edges.back() == coarse.back());
}

RC_GTEST_PROP(HybridEdges, are_about_as_many_as_wished, ()) {
  const auto values = *samples();
  const int coarse_bins = *rc::gen::inRange(1, 17);
  const int bins = coarse_bins + *rc::gen::inRange(1, 120);
  const std::size_t num_bins = fine_edges(values, bins, coarse_bins).size() - 1;
  // Coarse edges may stand between values, and come on top.
  const auto most_extra = static_cast<std::size_t>(coarse_bins);
  const std::size_t num_distinct = std::set<double>(values.begin(), values.end()).size();
  if (num_distinct == 1) {
    RC_ASSERT(num_bins == 1u);
  } else if (num_distinct <= static_cast<std::size_t>(bins) + 1) {
    RC_ASSERT(num_bins >= num_distinct - 1);
    RC_ASSERT(num_bins <= num_distinct - 1 + most_extra);
  } else {
    RC_ASSERT(num_bins <= static_cast<std::size_t>(bins) + most_extra);
    RC_ASSERT(num_bins >= static_cast<std::size_t>(bins / 3));
  }
}

}  // namespace
}  // namespace softwood
