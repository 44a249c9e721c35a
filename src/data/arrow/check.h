#pragma once

#include <cstddef>

#include "data/arrow/abi.h"

namespace softwood {

/// Throws Error if a type, its children's or its dictionary's contradicts itself: names without
/// texts, children that are not there, a dictionary that is asked for by something else than whole
/// numbers or that has one of its own.
void check_arrow_schema(const ArrowSchema& schema);

/// Throws Error unless an array can be what its (checked) type says, and has rows first …
/// first + num_rows − 1, as far as the C data interface lets a consumer see: counts, offsets and
/// null pointers. How large a buffer is, only its producer knows.
void check_arrow_array(const ArrowSchema& schema, const ArrowArray& array, std::size_t first,
                       std::size_t num_rows);

/// Throws Error unless a batch's length, offset and number of children are those of its schema.
void check_arrow_batch(const ArrowSchema& schema, const ArrowArray& batch);

}  // namespace softwood
