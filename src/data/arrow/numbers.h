#pragma once

#include <cstring>

#include "data/arrow/ticks.h"
#include "data/arrow/type.h"

namespace softwood {

/// Cells of fixed width, counted from the array's own offset. Buffers need not be aligned.
template <class T>
class ArrowValues {
 public:
  explicit ArrowValues(const ArrowArray& array)
      : bytes_(static_cast<const char*>(array.buffers[1]) +
               static_cast<std::size_t>(array.offset) * sizeof(T)) {}
  T operator[](std::size_t index) const {
    T value;
    std::memcpy(&value, bytes_ + index * sizeof(T), sizeof(T));
    return value;
  }

 private:
  const char* bytes_;
};

/// ArrowType::ReadNumbers of integers and floats; beyond 2^53 integers round.
template <class T>
void read_plain(const ArrowType&, const ArrowArray& array, std::size_t first,
                std::span<double> out) {
  const ArrowValues<T> values(array);
  for (std::size_t row = 0; row < out.size(); ++row) {
    out[row] = static_cast<double>(values[first + row]);
  }
}

/// Times of day and durations, in seconds.
template <class T>
void read_spans(const ArrowType& type, const ArrowArray& array, std::size_t first,
                std::span<double> out) {
  const ArrowValues<T> ticks(array);
  for (std::size_t row = 0; row < out.size(); ++row) {
    out[row] = seconds_of_span(ticks[first + row], type.per_second);
  }
}

/// Moments in ticks since 1970; a time zone is for display only, the ticks are UTC.
void read_moments(const ArrowType& type, const ArrowArray& array, std::size_t first,
                  std::span<double> out);
/// Moments in days since 1970.
void read_days(const ArrowType& type, const ArrowArray& array, std::size_t first,
               std::span<double> out);
/// Booleans: 0 and 1.
void read_bits(const ArrowType& type, const ArrowArray& array, std::size_t first,
               std::span<double> out);
/// Floats of 16 bits.
void read_halves(const ArrowType& type, const ArrowArray& array, std::size_t first,
                 std::span<double> out);
/// Decimals of 32 to 256 bits, correctly rounded, as their texts in a file would be.
void read_decimals(const ArrowType& type, const ArrowArray& array, std::size_t first,
                   std::span<double> out);

/// Bit `index` of a bitmap.
inline bool arrow_bit(const void* bitmap, std::size_t index) {
  return (static_cast<const std::uint8_t*>(bitmap)[index / 8] >> (index % 8) & 1) != 0;
}

}  // namespace softwood
