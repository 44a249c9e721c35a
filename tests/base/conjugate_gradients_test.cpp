#include "base/conjugate_gradients.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "base/solve_definite.h"

namespace softwood {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;
using Vector = std::vector<double>;

/// Products with a matrix [n × n].
auto products_of(Vector matrix) {
  return [matrix = std::move(matrix)](const Vector& x) {
    Vector result(x.size(), 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < x.size(); ++j) result[i] += matrix[i * x.size() + j] * x[j];
    }
    return result;
  };
}

RC_GTEST_PROP(ConjugateGradients, agree_with_cholesky_measured_or_not, ()) {
  const std::size_t n = *rc::gen::inRange<std::size_t>(1, 12);
  const RandomStream random(*rc::gen::arbitrary<std::uint64_t>(), "matrix");
  Vector root(n * n), matrix(n * n, 0.0), b(n), diagonal(n), expected;
  for (std::size_t i = 0; i < n * n; ++i) root[i] = 2 * random.uniform(i) - 1;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) matrix[i * n + j] += root[i * n + k] * root[j * n + k];
    }
    matrix[i * n + i] += 1;
    diagonal[i] = matrix[i * n + i];
    b[i] = 2 * random.uniform(n * n + i) - 1;
  }
  RC_ASSERT(solve_definite(matrix, 0, b, expected));
  for (const Vector& measure : {Vector{}, diagonal}) {
    const Vector x = ConjugateGradients{products_of(matrix), measure, 1e-12, 100}.solve(b);
    for (std::size_t i = 0; i < n; ++i) RC_ASSERT(std::abs(x[i] - expected[i]) < 1e-8);
  }
}

TEST(ConjugateGradients, end_after_as_many_products_as_are_allowed) {
  const Vector matrix = {1, 0, 0, 0, 2, 0, 0, 0, 4};
  int products = 0;
  const auto counted = [&](const Vector& x) {
    ++products;
    return products_of(matrix)(x);
  };
  ConjugateGradients{counted, {}, 0, 2}.solve({1, 1, 1});
  EXPECT_EQ(products, 2);
  products = 0;
  EXPECT_THAT((ConjugateGradients{counted, {1, 2, 4}, 1e-9, 100}.solve({1, 1, 1})),
              ElementsAre(DoubleNear(1, 1e-12), DoubleNear(0.5, 1e-12), DoubleNear(0.25, 1e-12)));
  EXPECT_EQ(products, 1) << "measured by its diagonal, a diagonal matrix takes one product";
}

TEST(ConjugateGradients, go_as_far_as_the_matrix_is_definite) {
  EXPECT_THAT((ConjugateGradients{products_of({-1}), {}, 0, 9}.solve({1})), IsEmpty());
  const Vector saddle = {2, 0, 0, -1};
  const Vector x = ConjugateGradients{products_of(saddle), {}, 0, 9}.solve({2, 1});
  ASSERT_EQ(x.size(), 2u);
  EXPECT_GT(x[0], 0);
}

TEST(ConjugateGradients, unknowns_without_a_measure_stay) {
  const Vector matrix = {2, 0.5, 0.5, 2};
  EXPECT_THAT((ConjugateGradients{products_of(matrix), {1, 0}, 1e-12, 9}.solve({1, 1})),
              ElementsAre(DoubleNear(0.5, 1e-12), 0));
  EXPECT_THAT((ConjugateGradients{products_of(matrix), {}, 0, 9}.solve({0, 0})), ElementsAre(0, 0));
}

}  // namespace
}  // namespace softwood
