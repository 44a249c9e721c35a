#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/thread_team.h"
#include "data/csv_chunks.h"
#include "data/csv_source.h"

namespace softwood {

/// What is known of a column while numbers are read.
enum class CsvColumnState : std::uint8_t {
  numeric,          // every cell so far is a number or missing
  text,             // some cell is no number, or the user said so
  must_be_numeric,  // the user said so: true is 1, false 0; what is no number is an error
};

/// States shared by the threads: a column turns from numeric to text once, whoever sees it first.
using CsvColumnStates = std::vector<std::atomic<CsvColumnState>>;

/// A cell that is no number where one has to be, read as missing.
struct CsvBadCell {
  std::size_t row;  // of the chunk
  std::size_t column;
  const char* place;
};

/// The numbers of one chunk.
struct CsvNumbers {
  std::size_t num_rows = 0;
  std::size_t capacity = 0;           // rows there is room for
  std::unique_ptr<double[]> values;   // [columns × capacity]; columns that are text hold anything
  std::vector<CsvBadCell> bad_cells;  // unless OnError::stop

  const double* column(std::size_t index) const { return values.get() + index * capacity; }
};

/// Reads the cells of all columns that are not text as numbers, NaN for missing ones, chunk by
/// chunk in parallel. Columns with a cell that is no number become text. If the chunks were cut
/// wrongly, `chunks` becomes one chunk of everything. Throws the Error of the first bad row.
std::vector<CsvNumbers> read_numbers(const CsvSource& source, std::vector<CsvChunk>& chunks,
                                     CsvColumnStates& states, ThreadTeam& team);

}  // namespace softwood
