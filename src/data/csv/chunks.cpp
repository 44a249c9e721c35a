#include "data/csv/chunks.h"

#include <algorithm>
#include <cstring>

#include "data/csv/cells.h"
#include "softwood/error.h"

namespace softwood {
namespace {

/// The first start of a row at or after `place`.
const char* next_row_start(const CsvSource& source, const char* place, bool in_quotes) {
  for (; place < source.end(); ++place) {
    if (*place == '"') in_quotes = !in_quotes;
    if (*place == '\n' && !in_quotes) return place + 1;
  }
  return source.end();
}

}  // namespace

std::size_t count_byte(const char* begin, const char* end, char byte) {
  std::size_t count = 0;
  while (true) {
    const void* found = std::memchr(begin, byte, static_cast<std::size_t>(end - begin));
    if (found == nullptr) return count;
    ++count;
    begin = static_cast<const char*>(found) + 1;
  }
}

std::vector<CsvChunk> cut_into_chunks(const CsvSource& source, std::size_t chunk_bytes,
                                      ThreadTeam& team) {
  const auto size = static_cast<std::size_t>(source.end() - source.first_row);
  const std::size_t num_pieces = size / chunk_bytes + 1;
  const auto piece_start = [&](std::size_t piece) {
    return source.first_row + std::min(piece * chunk_bytes, size);
  };
  std::vector<std::size_t> quotes(num_pieces);
  team.for_each(num_pieces, [&](std::size_t piece) {
    source.refuse_cut();
    quotes[piece] = count_byte(piece_start(piece), piece_start(piece + 1), '"');
    source.let_go(piece_start(piece), piece_start(piece + 1));
  });
  std::vector<CsvChunk> chunks;
  const char* begin = source.first_row;
  std::size_t quotes_before = quotes[0];
  for (std::size_t piece = 1; piece <= num_pieces && begin < source.end(); ++piece) {
    if (piece < num_pieces && piece_start(piece) < begin) {
      quotes_before += quotes[piece];  // inside a long row, whose end need not be looked for again
      continue;
    }
    const char* end = piece == num_pieces
                          ? source.end()
                          : next_row_start(source, piece_start(piece), quotes_before % 2 == 1);
    if (piece < num_pieces) quotes_before += quotes[piece];
    if (end <= begin) continue;
    chunks.push_back({begin, end});
    begin = end;
  }
  source.let_go(source.first_row, source.end());
  return chunks;
}

std::vector<CsvChunk> cut_exactly(const CsvSource& source, std::size_t chunk_bytes) {
  std::vector<CsvChunk> chunks;
  const char* begin = source.first_row;
  const char* place = begin;
  TextBehind behind(source, place);
  try {
    for (; place < source.end(); ++place) {
      if (place - begin >= static_cast<std::ptrdiff_t>(chunk_bytes)) {
        chunks.push_back({begin, place});
        begin = place;
      }
      behind.walk_to(place);
      for (read_cell(source, place); *place != '\n'; read_cell(source, place)) ++place;
    }
  } catch (const Error&) {
    // Whoever reads the last chunk says what is wrong there, or before.
  }
  if (begin < source.end()) chunks.push_back({begin, source.end()});
  return chunks;
}

}  // namespace softwood
