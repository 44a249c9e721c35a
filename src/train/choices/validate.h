#pragma once

#include "softwood/options.h"

namespace softwood {

/// Throws Error for a value out of range, with the option's name and what it may be, for an option
/// that could change nothing, and for options that contradict each other.
void validate(const TrainOptions& options);

}  // namespace softwood
