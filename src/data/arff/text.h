#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "data/file/file_bytes.h"

namespace softwood {

/// A value as written in an ARFF file: 'no checking', "it\'s", 3.5 or ?.
struct ArffToken {
  std::string text;
  bool quoted = false;
};

/// The lines of an ARFF file that mean something: without comments (% …), blank lines, and blanks
/// at their ends.
class ArffLines {
 public:
  explicit ArffLines(const FileBytes& file);

  /// Moves to the next line; false at the end of the file.
  bool next();
  std::string_view line() const { return line_; }
  /// Throws Error "file:line: message" for the current line.
  [[noreturn]] void fail(const std::string& message) const;
  const std::string& origin() const { return origin_; }
  /// Of the current line, from 1.
  std::size_t number() const { return number_; }

 private:
  std::string origin_;
  std::string_view left_;
  std::string_view line_;
  std::size_t number_ = 0;
};

/// Takes a value from the front of `left`: a quoted one with backslash escapes undone, or
/// everything up to a letter of `stops`, trimmed. Blanks before and after it are taken too. A quote
/// that never closes fails at the current line.
ArffToken take_token(std::string_view& left, std::string_view stops, const ArffLines& lines);

/// The values of `left`: separated by commas, or by blanks if there are no commas outside quotes.
void split_values(std::string_view left, const ArffLines& lines, std::vector<ArffToken>& values);

}  // namespace softwood
