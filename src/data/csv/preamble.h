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

/// Passes blank lines, a line "sep=;" and lines of comment, which begin with #. One of these is no
/// comment but the header if it has as many fields as the first row below them and either no blank
/// follows its # (#id,age) or that row has a number. Without a header only lines whose # is
/// followed by a blank are comments. `text` ends with a line feed.
CsvPreamble read_preamble(std::string_view text, char delimiter, bool header);

}  // namespace softwood
