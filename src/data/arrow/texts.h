#pragma once

#include <string_view>

#include "data/arrow/numbers.h"
#include "softwood/error.h"

namespace softwood {

/// The texts of an array of format "u" (offsets of 32 bits), "U" (64) or "vu" (views), counted from
/// the array's own offset. Null cells must not be asked for. Throws Error where offsets descend or
/// leave their buffer, as far as its size is known: that of views alone.
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
    const Offset begin = offsets[index], end = offsets[index + 1];
    expect(begin >= 0 && end >= begin && (end == begin || array_.buffers[2] != nullptr));
    if (end == begin) return {};
    return {static_cast<const char*>(array_.buffers[2]) + begin,
            static_cast<std::size_t>(end - begin)};
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
    expect(view.length >= 0);
    const auto length = static_cast<std::size_t>(view.length);
    if (length <= 12) return {place + 4, length};
    expect(view.buffer >= 0 && view.buffer < array_.n_buffers - 3 && view.offset >= 0);
    const void* const buffer = array_.buffers[2 + view.buffer];
    expect(buffer != nullptr && view.offset + std::int64_t{view.length} <= size_of(view.buffer));
    return {static_cast<const char*>(buffer) + view.offset, length};
  }

  /// The last buffer holds the sizes of those behind the views.
  std::int64_t size_of(std::int32_t buffer) const {
    const auto* const sizes = static_cast<const char*>(array_.buffers[array_.n_buffers - 1]);
    expect(sizes != nullptr);
    std::int64_t size = 0;
    std::memcpy(&size, sizes + static_cast<std::size_t>(buffer) * sizeof size, sizeof size);
    return size;
  }

  static void expect(bool fits) {
    if (!fits) throw Error("the Arrow data contradict themselves: a text lies outside its buffer.");
  }

  const ArrowArray& array_;
  std::string_view format_;
};

}  // namespace softwood
