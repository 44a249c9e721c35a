#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/thread_team.h"
#include "data/csv/chunks.h"
#include "data/csv/source.h"
#include "data/text/written_number.h"

namespace softwood {

/// What is known of a column while numbers are read.
enum class CsvColumnState : std::uint8_t {
  numeric,          // every cell so far is a number or missing
  text,             // some cell is not written as programs write numbers, or the user said so
  must_be_numeric,  // as numeric, but true is 1 and false 0
};

/// States shared by the threads: a column turns from numeric to text once, whoever sees it first.
using CsvColumnStates = std::vector<std::atomic<CsvColumnState>>;

/// The numbers of one chunk.
struct CsvNumbers {
  std::size_t num_rows = 0;
  std::size_t capacity = 0;          // rows there is room for
  std::unique_ptr<double[]> values;  // [columns × capacity]; columns that are text hold anything

  const double* column(std::size_t index) const { return values.get() + index * capacity; }
};

/// What a column of one chunk or of the whole file holds, as far as it decides how the file is
/// read.
struct NumberFacts {
  std::size_t num_rows = 0;
  std::size_t num_missing = 0;
  bool has_whole = false;
  bool fits_thousands = true;  // all below 1000, with three decimals or none
  /// The first number with a fraction, and its row.
  std::optional<double> fraction = {};
  std::size_t fraction_row = 0;

  /// The rows below those that are counted already.
  void add(std::span<const double> values);
  void add(const NumberFacts& below);
};

/// Reads the cells of all columns that are not text as numbers, NaN for missing ones (also those
/// that are missing among numbers only), chunk by chunk in parallel. Columns with a cell that is no
/// number of that style become text. If the chunks were cut wrongly, `chunks` become such as were
/// not. Throws the Error of the first bad row.
std::vector<CsvNumbers> read_numbers(const CsvSource& source, std::vector<CsvChunk>& chunks,
                                     CsvColumnStates& states, const NumberStyle& style,
                                     ThreadTeam& team);

/// The same without keeping the numbers: facts of the columns of each chunk, which mean something
/// for those that are not text in the end.
std::vector<std::vector<NumberFacts>> survey_numbers(const CsvSource& source,
                                                     std::vector<CsvChunk>& chunks,
                                                     CsvColumnStates& states,
                                                     const NumberStyle& style, ThreadTeam& team);

/// One chunk that is known to be cut rightly.
CsvNumbers read_chunk_numbers(const CsvSource& source, const CsvChunk& chunk,
                              CsvColumnStates& states, const NumberStyle& style);

}  // namespace softwood
