#pragma once

#include <cstddef>

#include "softwood/options.h"

namespace softwood {

/// What there is to learn from.
struct TableSize {
  std::size_t num_rows = 0;     ///< with a response, of a task in the mean
  std::size_t num_columns = 0;  ///< features
  bool has_validation_table = false;
  std::size_t most_folds = 100;  ///< fewer if rows that stay together make fewer groups
};

/// The options with everything said that `--members auto` leaves open: of few rows several small
/// members on folds; the more rows, the fewer, until one that is as large as it can be. One, too,
/// where something else says which rows validate (a table of their own, valid-column,
/// valid-fraction) or how many trees there are (trees, ensemble). Several members that the user
/// counted are as small as these if rows are few.
TrainOptions settle_members(TrainOptions options, const TableSize& table);

}  // namespace softwood
