#pragma once

#include <vector>

#include "base/views.h"

namespace softwood {

/// The columns of a matrix whose rows are contiguous, each made contiguous. Reads and writes in
/// blocks that fit into the cache, on all threads if there is enough to do.
std::vector<std::vector<double>> columns_of_matrix(MatrixView<const double> matrix);

}  // namespace softwood
