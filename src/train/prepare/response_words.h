#pragma once

#include <vector>

#include "softwood/options.h"
#include "softwood/table.h"
#include "task/tasks.h"
#include "train/prepare/words.h"

namespace softwood {

/// Looks at what the tasks make of their responses, before anything is learned:
/// - an Error for a column of texts that would be numbers if it were known what its commas mean,
///   where the user has not said that they are classes;
/// - an Error for classes of which hardly two rows have the same, a warning in small tables
///   and for texts with a loss of classes that the user has named;
/// - a word for two numbers, other than 0 and 1, that are taken as classes, and for whole numbers
///   in a row (0 … 9) that are taken as numbers.
void check_responses(const TrainOptions& options, const Tasks& tasks, const Table& table,
                     const Words& words);

}  // namespace softwood
