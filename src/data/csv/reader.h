#pragma once

#include <cstddef>

#include "data/file/file_bytes.h"
#include "softwood/table.h"

namespace softwood {

/// Threads take turns at pieces of this size: large enough to be worth a turn, small enough to
/// share.
inline constexpr std::size_t kCsvChunkBytes = std::size_t{1} << 20;

/// Reads a CSV text. A column is numeric if nearly every cell that is not missing is a number
/// (quoted or not; see TextTally), else datetime if nearly all are dates in one order, else
/// categorical; a column without any value is numeric. Cells are trimmed of blanks unless quoted; a
/// quoted missing token is missing too. The result does not depend on threads or chunks.
Table read_csv(const FileBytes& file, const ReadOptions& options,
               std::size_t chunk_bytes = kCsvChunkBytes);

}  // namespace softwood
