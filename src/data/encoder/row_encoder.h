#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/encoder/encoder.h"
#include "data/text/date_parts.h"

namespace softwood {

/// Encoder::encode() for those who have one row after another, as raw numbers and without a table:
/// it allocates nothing.
class RowEncoder {
 public:
  /// Borrowed.
  explicit RowEncoder(const Encoder& encoder);

  /// The table's columns that the encoder reads, each once, in its order.
  const std::vector<std::string>& sources() const { return sources_; }
  /// The number that stands for a text of a column of levels: −1 for any that is none of them.
  /// `source`: index into sources(). Throws Error if its cells are no levels.
  double level(std::size_t source, std::string_view text) const;

  /// `cells`: one per source, a number, seconds since 1970 of a date, or a level(); NaN is missing.
  /// `positions`: one per encoded column, overwritten. Throws Error for an infinite cell and for a
  /// level that is none.
  void encode(std::span<const double> cells, std::span<float> positions) const;

 private:
  struct Cell {
    const EncodedColumn* encoded;
    std::size_t source;
    DatePart part;
  };
  std::vector<std::string> sources_;
  std::vector<Cell> cells_;  // one per encoded column
};

}  // namespace softwood
