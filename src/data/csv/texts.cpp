#include "data/csv/texts.h"

#include <algorithm>

#include <fmt/format.h>

#include "data/csv/cells.h"
#include "data/text/level_index.h"
#include "data/text/missing_text.h"

namespace softwood {
namespace {

/// The texts of one column in one chunk.
struct ChunkTexts {
  LevelIndex levels;
  std::vector<std::int32_t> codes;

  void add(std::string_view text) {
    codes.push_back(is_missing_text(trimmed(text)) ? -1 : levels.add(text));
  }
};

std::vector<ChunkTexts> read_chunk(const CsvSource& source, const CsvChunk& chunk,
                                   const std::vector<std::size_t>& wanted) {
  std::vector<ChunkTexts> texts(wanted.size());
  std::string scratch;
  const char* place = chunk.begin;
  skip_blank_lines(source, place, chunk.end);
  while (place < chunk.end) {
    std::size_t next = 0;
    for (std::size_t column = 0; column < source.names.size(); ++column) {
      const CsvCell cell = read_cell(source, place);
      if (next < wanted.size() && wanted[next] == column) texts[next++].add(cell.text(scratch));
      ++place;
    }
    skip_blank_lines(source, place, chunk.end);
  }
  return texts;
}

/// Appends the chunk's codes, renumbered by the whole column's levels.
void append(Column& column, LevelIndex& levels, const ChunkTexts& texts) {
  std::vector<std::int32_t> renumbered(texts.levels.size());
  for (std::size_t level = 0; level < renumbered.size(); ++level) {
    renumbered[level] = levels.add(as_utf8(texts.levels.text(level)));
  }
  for (const std::int32_t code : texts.codes) {
    column.codes.push_back(code < 0 ? -1 : renumbered[static_cast<std::size_t>(code)]);
  }
}

}  // namespace

std::vector<Column> read_texts(const CsvSource& source, const std::vector<CsvChunk>& chunks,
                               const std::vector<std::size_t>& wanted, ThreadTeam& team) {
  std::vector<std::vector<ChunkTexts>> texts(chunks.size());
  team.for_each(chunks.size(), [&](std::size_t chunk) {
    source.refuse_cut();
    texts[chunk] = read_chunk(source, chunks[chunk], wanted);
    source.let_go(chunks[chunk].begin, chunks[chunk].end);
  });
  std::vector<Column> columns(wanted.size());
  team.for_each(wanted.size(), [&](std::size_t index) {
    Column& column = columns[index];
    column.name = source.names[wanted[index]];
    column.kind = ColumnKind::categorical;
    LevelIndex levels;
    for (const std::vector<ChunkTexts>& chunk : texts) append(column, levels, chunk[index]);
    column.levels = levels.texts();
  });
  return columns;
}

const char* find_cell(const CsvSource& source, std::size_t row, std::size_t column) {
  const char* place = source.first_row;
  skip_blank_lines(source, place, source.end());
  TextBehind behind(source, place);
  for (std::size_t cells = row * source.names.size() + column; cells > 0; --cells) {
    read_cell(source, place);
    if (*place++ == '\n') skip_blank_lines(source, place, source.end());
    behind.walk_to(place);
  }
  return place;
}

std::vector<std::string> lines_of_rows(const CsvSource& source, std::span<const std::size_t> rows) {
  std::vector<std::string> lines;
  const char* place = source.first_row;
  const char* counted = source.text.data();
  std::size_t line = 1, row = 0;
  const auto count_lines = [&] {
    line += static_cast<std::size_t>(std::count(counted, place, '\n'));
    counted = place;
  };
  TextBehind behind(source, place);
  for (const std::size_t wanted : rows) {
    skip_blank_lines(source, place, source.end());
    for (; row < wanted; ++row) {
      do read_cell(source, place);
      while (*place++ != '\n');
      skip_blank_lines(source, place, source.end());
      count_lines();
      behind.walk_to(place);
    }
    count_lines();
    lines.push_back(fmt::format("line {}", line));
  }
  return lines;
}

}  // namespace softwood
