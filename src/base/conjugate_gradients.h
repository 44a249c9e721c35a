#pragma once

#include <functional>
#include <vector>

namespace softwood {

/// Solves matrix · x = b for a symmetric matrix that is known by its products alone.
struct ConjugateGradients {
  std::function<std::vector<double>(const std::vector<double>&)> product;
  /// About the diagonal of the matrix, by which unknowns are measured; those of 0 stay 0. Empty:
  /// all are alike.
  std::vector<double> diagonal = {};
  double tolerance = 0;  ///< of what is left of b
  int max_products = 0;

  /// As far as the matrix is positive definite; empty if it is not so from the first product on.
  std::vector<double> solve(const std::vector<double>& b) const;
};

}  // namespace softwood
