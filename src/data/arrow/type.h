#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "data/arrow/abi.h"

namespace softwood {

/// What a format string of the C data interface means to us.
struct ArrowType {
  enum class Kind { unknown, nothing, boolean, number, moment, text };
  /// Writes the cells array[first], array[first + 1], … as numbers; null cells become anything.
  using ReadNumbers = void (*)(const ArrowType& type, const ArrowArray& array, std::size_t first,
                               std::span<double> out);

  Kind kind = Kind::unknown;
  ReadNumbers read = nullptr;   // of boolean, number and moment
  std::int64_t per_second = 1;  // ticks of dates, times and durations
  int scale = 0;                // decimals: digits after the point
  int bits = 128;               // decimals: their width
};

/// `format` as in ArrowSchema::format: "g", "tsu:Europe/Zurich", "d:12,2"; kind unknown for
/// anything that is no number, text or moment.
ArrowType find_arrow_type(std::string_view format);

/// What a user would call a format: "list" for "+l"; the format itself if it has no name here.
std::string arrow_type_name(std::string_view format);

}  // namespace softwood
