#pragma once

#include <cstddef>
#include <vector>

#include "base/thread_team.h"
#include "data/csv/source.h"

namespace softwood {

/// Rows that one thread reads: from the start of a row to the start of another.
struct CsvChunk {
  const char* begin;
  const char* end;
};

/// Cuts the rows into chunks of about `chunk_bytes`, at line ends outside quotes. Whether a place
/// is inside quotes follows from the number of quotes before it, so every chunk is scanned at once.
/// That is a guess: a lone quote inside an unquoted cell (5" pipe) upsets it. So whoever reads a
/// chunk must end exactly at its end; if not, the rows are to be read as one chunk.
std::vector<CsvChunk> cut_into_chunks(const CsvSource& source, std::size_t chunk_bytes,
                                      ThreadTeam& team);

/// The same by reading every row, for texts that the guess fails for. Where a row cannot be read,
/// the last chunk begins before it and holds all the rest.
std::vector<CsvChunk> cut_exactly(const CsvSource& source, std::size_t chunk_bytes);

/// How often `byte` occurs in [begin, end).
std::size_t count_byte(const char* begin, const char* end, char byte);

}  // namespace softwood
