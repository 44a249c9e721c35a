#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/csv/ragged.h"
#include "data/csv/source.h"
#include "data/file/read_mistakes.h"

namespace softwood {

/// What is wrong in a CSV file that is read in spite of it: rows that are too short or too long,
/// cells that had to be numbers or dates.
class CsvMistakes {
 public:
  /// Mends the rows of `source` that are too short or too long, unless OnError::stop.
  explicit CsvMistakes(CsvSource& source) : source_(source), mended_(source) {}

  /// Cells of one column, in order of their rows, that had to be a `wanted`: number or date.
  void add(std::size_t column, const std::vector<std::size_t>& rows, const char* wanted);

  std::vector<ReadMistake> in_words() const;

 private:
  struct BadCell {
    std::size_t row;
    std::size_t column;
    const char* wanted;
  };

  std::string words(const BadCell& cell) const;

  const CsvSource& source_;
  MendedRows mended_;
  std::vector<BadCell> cells_;
};

}  // namespace softwood
