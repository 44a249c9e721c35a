#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "data/arrow/abi.h"
#include "softwood/table.h"

namespace softwood {

/// Some rows of an Arrow array.
struct ArrowChunk {
  std::shared_ptr<const ArrowArray> array;
  std::size_t first = 0;  // after the array's own offset
  std::size_t num_rows = 0;

  bool has_nulls() const;
  bool is_null(std::size_t row) const;
};

/// Joins the chunks of one column of type `schema`. Doubles without nulls and codes of 32 bits
/// without nulls, in one chunk, are borrowed from the array. `texts_of_booleans`: they become the
/// texts True and False, otherwise the numbers 1 and 0. Throws Error for types we do not have.
Column read_arrow_column(const ArrowSchema& schema, std::string name,
                         const std::vector<ArrowChunk>& chunks, bool texts_of_booleans = false);

}  // namespace softwood
