#pragma once

#include <optional>
#include <span>
#include <string>

#include "data/encoder/encoder.h"

namespace softwood {

/// Encodes a table by some columns of an encoder; `read_as` says how their sources are read. `out`:
/// [columns × rows], overwritten. Returns the message of the first infinite value, if there is one.
/// Throws Error if a column is missing or of the wrong kind. In parallel.
std::optional<std::string> encode_columns(const Table& table,
                                          std::span<const EncodedColumn> columns,
                                          const ColumnKinds& read_as, int threads, float* out);

}  // namespace softwood
