#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/text/number_style.h"
#include "data/text/remark.h"
#include "data/text/text_tally.h"
#include "softwood/table.h"

namespace softwood {

/// Finds out what columns of texts hold, and collects what there is to say about them.
class TextKinds {
 public:
  explicit TextKinds(const NumberStyle& style) : style_(style) {}

  /// Makes a categorical column, of which nobody has said what it is, a numeric one if nearly all
  /// cells are numbers, or a datetime one if nearly all are dates in one order; the other cells are
  /// missing then. A column of numbers of which nothing tells what their commas mean stays
  /// undeclared. `tally` is that of its texts.
  void settle(Column& column, const TextTally& tally);

  std::vector<Remark> remarks() const;

 private:
  std::optional<char> decimal_of(const TextTally& tally) const;
  bool try_numbers(Column& column, const TextTally& tally);
  bool try_dates(Column& column, const TextTally& tally);
  void tell_strays(const Column& texts, const std::vector<bool>& is_stray, const char* kind);

  NumberStyle style_;
  std::vector<Remark> remarks_;
  std::size_t num_grouped_ = 0;  // columns with separated thousands
  ShownCell grouped_;
  char thousands_ = '\0';
};

/// The last row looks like a sum of the others: a text such as Total, Sum or Gesamt that stands
/// nowhere else in its column. `texts`: columns as they were written.
std::optional<Remark> find_total_row(const std::vector<const Column*>& texts);

}  // namespace softwood
