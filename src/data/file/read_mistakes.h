#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "softwood/table.h"

namespace softwood {

/// So many mistakes a warning names.
inline constexpr std::size_t kNamedMistakes = 3;

/// A cell or a row of a table that is not as it has to be, though the table was read.
struct ReadMistake {
  std::size_t row = 0;  // of the table, from 0
  /// Where and what: "line 7, column 'age': 'abc' is not a number". Only the first kNamedMistakes
  /// by row need words.
  std::string words = {};
};

/// Ends a reading that did not stop at mistakes (in any order): OnError::skip leaves their rows
/// out, and one warning counts them and names the first. The table as it is if there are none.
Table settle_mistakes(Table table, std::vector<ReadMistake> mistakes, const ReadOptions& options);

}  // namespace softwood
