#pragma once

#include <cstddef>
#include <memory>

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

/// The same of a mapped file, which is looked through without being held: columns of numbers are
/// deferred (see Cells). But if rows are too short or too long, and that is no error, a mended copy
/// of the text is made and everything read from it at once.
Table read_csv_deferred(std::shared_ptr<const FileBytes> file, const ReadOptions& options,
                        std::size_t chunk_bytes = kCsvChunkBytes);

}  // namespace softwood
