#pragma once

#include <vector>

#include "loss/language/operations.h"

namespace softwood::loss {

/// The operation of every row of operands, on data columns, as the evaluator computes it; of
/// conditions (0 or 1), and as conditions, what a loss would see.
std::vector<double> evaluate_operation(Op op, const std::vector<std::vector<double>>& rows);

/// The same numbers, zeros by their sign; any NaN is any other.
bool same_bits(double a, double b);

}  // namespace softwood::loss
