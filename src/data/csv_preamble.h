#pragma once

#include <string_view>

namespace softwood {

/// What stands before the rows of a CSV text.
struct CsvPreamble {
  /// Where the first row (the header, if there is one) begins; nullptr if there is none.
  const char* first_row = nullptr;
  /// What a first line "sep=;", as Excel writes and reads it, says; '\0' = nothing.
  char delimiter = '\0';
};

/// Passes blank lines, a line "sep=;" and lines of comment, which begin with #. The last of these
/// lines is none but the header if it has as many fields as the row below it and either that row
/// has a number or no blank follows the # (#id,age). `text` ends with a line feed.
CsvPreamble read_preamble(std::string_view text, char delimiter, bool header);

}  // namespace softwood
