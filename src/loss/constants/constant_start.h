#pragma once

#include <string>
#include <vector>

#include "loss/constants/constant_objective.h"

namespace softwood::loss {

/// Where the search for the best constants begins: locations at the median of y, or beside it where
/// the gradient is infinite there; classes at the logarithms of their shares; log scales at the
/// response's own scale, wherever that is better than 0. Throws Error if the loss is finite at no
/// start.
std::vector<double> find_start(const LossProgram& program, const WeightedRows& rows,
                               const ConstantFit& fit, const Checkpoint& checkpoint);

/// What to do about responses so large or small that doubles do not hold what the loss makes of
/// them; empty for others.
std::string advice_on_scale(const WeightedRows& rows);

}  // namespace softwood::loss
