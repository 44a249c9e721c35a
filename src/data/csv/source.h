#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "data/file/file_bytes.h"
#include "softwood/table.h"

namespace softwood {

/// A CSV text whose dialect and column names are known: what every later pass over its rows needs.
struct CsvSource {
  std::string_view text;  // the whole file; its last byte is '\n'
  std::string origin;
  char delimiter = ',';
  std::vector<std::string> names;
  const char* first_row = nullptr;  // in `text`, after the header
  OnError on_error = OnError::stop;
  const MappedFile* mapped = nullptr;  // what `text` is of, if it is not in memory

  const char* end() const { return text.data() + text.size(); }
  /// [begin, end) of `text` has been read and need not stay in memory.
  void let_go(const char* begin, const char* end) const {
    if (mapped != nullptr) mapped->let_go(begin, end);
  }
  /// Throws Error if the file is shorter now. To be asked before each chunk.
  void refuse_cut() const {
    if (mapped != nullptr && mapped->is_cut()) fail_changed();
  }
  /// Throws Error: the file is not as it was.
  [[noreturn]] void fail_changed() const;
  /// Counted from 1.
  std::size_t line_of(const char* place) const;
  /// Throws Error "file:line: message" for a place in `text`.
  [[noreturn]] void fail(const char* place, const std::string& message) const;
};

/// For who walks through a text from its start: lets go of what lies behind.
class TextBehind {
 public:
  TextBehind(const CsvSource& source, const char* start) : source_(source), start_(start) {}
  void walk_to(const char* place) {
    constexpr std::ptrdiff_t kStep = std::ptrdiff_t{1} << 22;
    if (place - start_ < kStep) return;
    source_.let_go(start_, place);
    start_ = place;
  }

 private:
  const CsvSource& source_;
  const char* start_;
};

/// Finds delimiter and names. `file` must outlive the result. Throws Error for a header with
/// repeated names. A column without a name is called x1, x2, … by its place.
CsvSource open_csv(const FileBytes& file, const ReadOptions& options);

/// Throws Error if there is a NUL byte in [begin, end).
void reject_nul(const CsvSource& source, const char* begin, const char* end);

/// Among comma, semicolon, tab and pipe the one that cuts the first rows into the most fields, the
/// same number in each (but no comma if all stand between digits and another one does, as in
/// 1,5;2,5); failing that, the most frequent in the first row; comma if there is none.
char detect_delimiter(std::string_view text);

}  // namespace softwood
