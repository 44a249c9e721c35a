#include "base/solve_definite.h"

#include <cmath>
#include <cstddef>
#include <utility>

namespace softwood {

bool solve_definite(std::vector<double> matrix, double ridge, std::vector<double> b,
                    std::vector<double>& x) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] += ridge;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i * n + k] * matrix[j * n + k];
      if (i != j) {
        matrix[i * n + j] = sum / matrix[j * n + j];
      } else if (sum > 0 && std::isfinite(sum)) {
        matrix[i * n + i] = std::sqrt(sum);
      } else {
        return false;
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= matrix[i * n + k] * b[k];
    b[i] /= matrix[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= matrix[k * n + i] * b[k];
    b[i] /= matrix[i * n + i];
  }
  x = std::move(b);
  return true;
}

}  // namespace softwood
