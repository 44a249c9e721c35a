#pragma once

#include <cstddef>

#include "tree/ensemble.h"

namespace softwood {

/// Roughly what a step of these trees costs, in microseconds of one thread.
double step_microseconds(const Ensemble& ensemble, std::size_t batch_size);

/// How many of the available threads a step is worth: waking one costs some microseconds, so a
/// small step is done by fewer. Changes no result.
int useful_threads(int available, const Ensemble& ensemble, std::size_t batch_size);

}  // namespace softwood
