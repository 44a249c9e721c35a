#pragma once

#include <string_view>

#include "data/arrow/numbers.h"

namespace softwood {

/// The texts of an array of format "u" (offsets of 32 bits), "U" (64) or "vu" (views), counted from
/// the array's own offset. Null cells must not be asked for.
class ArrowTexts {
 public:
  ArrowTexts(const ArrowArray& array, std::string_view format) : array_(array), format_(format) {}

  std::string_view operator[](std::size_t index) const {
    if (format_ == "vu") return viewed(index);
    return format_ == "u" ? between_offsets<std::int32_t>(index)
                          : between_offsets<std::int64_t>(index);
  }

 private:
  template <class Offset>
  std::string_view between_offsets(std::size_t index) const {
    const ArrowValues<Offset> offsets(array_);
    const auto begin = static_cast<std::size_t>(offsets[index]);
    const auto end = static_cast<std::size_t>(offsets[index + 1]);
    return {static_cast<const char*>(array_.buffers[2]) + begin, end - begin};
  }

  /// Up to 12 bytes stand in the view itself; longer texts in one of the buffers behind it.
  std::string_view viewed(std::size_t index) const {
    struct View {
      std::int32_t length, prefix, buffer, offset;
    };
    const char* place = static_cast<const char*>(array_.buffers[1]) +
                        (static_cast<std::size_t>(array_.offset) + index) * sizeof(View);
    View view;
    std::memcpy(&view, place, sizeof(View));
    const auto length = static_cast<std::size_t>(view.length);
    if (length <= 12) return {place + 4, length};
    return {static_cast<const char*>(array_.buffers[2 + view.buffer]) + view.offset, length};
  }

  const ArrowArray& array_;
  std::string_view format_;
};

}  // namespace softwood
