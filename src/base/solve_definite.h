#pragma once

#include <vector>

namespace softwood {

/// Solves (matrix + ridge·I) x = b by Cholesky, for a small symmetric matrix [n × n]; false if that
/// is not positive definite.
bool solve_definite(std::vector<double> matrix, double ridge, std::vector<double> b,
                    std::vector<double>& x);

}  // namespace softwood
