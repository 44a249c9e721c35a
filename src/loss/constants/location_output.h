#pragma once

#include "loss/constants/weighted_rows.h"

namespace softwood::loss {

/// True if the loss does not change when y and f[output] are shifted together (found by evaluating
/// the program at points of the data): the output lives on y's scale.
bool is_location(const LossProgram& program, std::size_t output, const WeightedRows& rows);

}  // namespace softwood::loss
