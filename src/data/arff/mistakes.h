#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "data/arff/text.h"
#include "data/file/read_mistakes.h"

namespace softwood {

/// Mistakes in the rows of an ARFF file: the first one ends the reading, unless all are to be
/// noted.
class ArffMistakes {
 public:
  ArffMistakes(const ArffLines& lines, OnError on_error) : lines_(lines), on_error_(on_error) {}

  bool are_noted() const { return on_error_ != OnError::stop; }
  void go_to_next_row() { ++row_; }

  /// In the current line: `error` goes into an Error, `words` into a warning.
  void add(const std::string& error, const std::string& words) {
    if (!are_noted()) lines_.fail(error);
    found_.push_back({row_, fmt::format("line {}, {}", lines_.number(), words)});
  }
  /// In a row that was read before.
  void add(ReadMistake mistake) { found_.push_back(std::move(mistake)); }

  std::vector<ReadMistake> take() { return std::move(found_); }

 private:
  const ArffLines& lines_;
  const OnError on_error_;
  std::size_t row_ = 0;
  std::vector<ReadMistake> found_;
};

}  // namespace softwood
