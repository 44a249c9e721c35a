#pragma once

#include <nlohmann/json.hpp>

#include "step/problem.h"

namespace softwood {

/// Seconds of each part of a step of all groups, one after the other on one thread, the least of
/// several rounds; by name. `scores` is what forward takes beyond the same trees on one column:
/// products or look-ups; `routing` the rest of it. The same of backward.
nlohmann::json parts_of_step(const Problem& problem);

}  // namespace softwood
