#include "base/solve_definite.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace softwood {
namespace {

RC_GTEST_PROP(SolveDefinite, the_solution_solves, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 6);
  const auto numbers = [](std::size_t count) {
    return rc::gen::container<std::vector<double>>(
        count, rc::gen::map(rc::gen::inRange(-100, 101), [](int i) { return i / 10.0; }));
  };
  const std::vector<double> root = *numbers(n * n), b = *numbers(n);
  std::vector<double> matrix(n * n, 0.0);  // root · rootᵀ, never negative
  for (std::size_t i = 0; i < n * n; ++i) {
    for (std::size_t k = 0; k < n; ++k) matrix[i] += root[i / n * n + k] * root[i % n * n + k];
  }
  std::vector<double> x;
  RC_ASSERT(solve_definite(matrix, 1, b, x));
  RC_ASSERT(x.size() == n);
  for (std::size_t row = 0; row < n; ++row) {
    double sum = x[row];
    for (std::size_t k = 0; k < n; ++k) sum += matrix[row * n + k] * x[k];
    RC_ASSERT(std::abs(sum - b[row]) < 1e-7);
  }
}

TEST(SolveDefinite, what_is_not_positive_definite_is_refused) {
  std::vector<double> x;
  EXPECT_FALSE(solve_definite({1, 2, 2, 1}, 0, {1, 1}, x));
  EXPECT_TRUE(solve_definite({1, 2, 2, 1}, 2, {1, 1}, x));
  EXPECT_FALSE(solve_definite({0}, 0, {1}, x));
  EXPECT_FALSE(solve_definite({std::nan("")}, 0, {1}, x));
}

}  // namespace
}  // namespace softwood
