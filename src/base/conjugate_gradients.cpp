#include "base/conjugate_gradients.h"

#include <cmath>
#include <numeric>

namespace softwood {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void add(double factor, const Vector& b, Vector& sum) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * b[i];
}

Vector measured(Vector v, const Vector& diagonal) {
  for (std::size_t i = 0; i < diagonal.size(); ++i) v[i] = diagonal[i] > 0 ? v[i] / diagonal[i] : 0;
  return v;
}

}  // namespace

Vector ConjugateGradients::solve(const Vector& b) const {
  Vector x(b.size(), 0.0), residual = b, direction = measured(b, diagonal);
  double square = dot(residual, direction);
  const double enough = tolerance * tolerance * square;
  for (int count = 0; count < max_products && square > enough; ++count) {
    const Vector bend = product(direction);
    const double curvature = dot(direction, bend);
    if (!(curvature > 0) || !std::isfinite(curvature)) return count == 0 ? Vector{} : x;
    const double length = square / curvature;
    add(length, direction, x);
    add(-length, bend, residual);
    Vector next = measured(residual, diagonal);
    const double left = dot(residual, next);
    add(left / square, direction, next);
    direction = std::move(next);
    square = left;
  }
  return x;
}

}  // namespace softwood
