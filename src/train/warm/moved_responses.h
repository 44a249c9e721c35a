#pragma once

#include <functional>

#include "task/tasks.h"
#include "train/prepare/examples.h"
#include "train/prepare/words.h"

namespace softwood {

/// Warns of numbers to learn that are far from those that the model knows: its scales and units
/// stay, and its steps are too small for the way. `tasks`: of the model. `rows`: to learn from.
void warn_of_moved_responses(const Tasks& tasks, const Examples& rows, const Words& words,
                             const std::function<void()>& stop_check);

}  // namespace softwood
