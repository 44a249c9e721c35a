#pragma once

#include <cstddef>

#include "softwood/options.h"

namespace softwood {

/// The options with everything said that `--members auto` leaves open: of few rows several small
/// members on folds, each with a linear part beside its trees; the more rows, the fewer, until one
/// that is as large as it can be. One, too, where something else says which rows validate (a table
/// of their own, valid-column, valid-fraction) or how many trees there are (trees, ensemble).
/// `num_rows`: with a response, of a task in the mean. `most_folds`: rows, or groups of rows that
/// keep together; more members than that are not to be had.
TrainOptions settle_members(TrainOptions options, std::size_t num_rows, std::size_t most_folds,
                            bool has_validation_table);

}  // namespace softwood
