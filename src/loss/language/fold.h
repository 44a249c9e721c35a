#pragma once

#include <span>

#include "loss/language/graph.h"

namespace softwood::loss {

/// The value of an operation on numbers (booleans are 0 and 1): constants folded at compile time.
double fold(Op op, std::span<const double> operands, std::uint32_t index);

}  // namespace softwood::loss
