#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace softwood {

/// read_plain_number looks at up to this many bytes beyond the end of a number.
inline constexpr std::size_t kNumberPadding = 8;

/// Digits at the front of a text, at most eight: their number and value, found without a loop.
struct DigitGroup {
  unsigned count;
  std::uint64_t value;
};

inline DigitGroup read_digit_group(const char* text) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, text, sizeof(bytes));
  // A byte less '0' is a digit if it is below 10: adding 0x76 then leaves its highest bit clear.
  const std::uint64_t digits = bytes ^ 0x3030303030303030u;
  const std::uint64_t others =
      (((digits & 0x7F7F7F7F7F7F7F7Fu) + 0x7676767676767676u) | digits) & 0x8080808080808080u;
  const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;
  if (count == 0) return {0, 0};
  // Zeros in front make any number of digits eight; then add neighbours, pairs and fours.
  std::uint64_t value = digits << (64 - 8 * count);
  value = value * 10 + (value >> 8);
  value = ((value & 0x000000FF000000FFu) * 0x000F424000000064u +
           ((value >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u) >>
          32;
  return {count, value & 0xFFFFFFFFu};
}

/// Reads a number such as -12.5 (digits first, no exponent) if its digits fit into a double, so
/// that one correctly rounded division gives the correctly rounded value (Clinger 1990). Returns
/// its end, or nullptr for anything else: that is for a full parser. Up to kNumberPadding bytes
/// past it are read.
inline const char* read_plain_number(const char* text, double& out) {
  static constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
                                            1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                                            1e14, 1e15, 1e16, 1e17, 1e18, 1e19};
  static constexpr std::uint64_t kShifts[] = {1,      10,      100,      1000,     10000,
                                              100000, 1000000, 10000000, 100000000};
  if constexpr (std::endian::native != std::endian::little) return nullptr;
  const bool negative = *text == '-';
  const char* place = text + (negative ? 1 : 0);
  DigitGroup group = read_digit_group(place);
  if (group.count == 0) return nullptr;
  std::uint64_t digits = group.value;
  unsigned num_digits = group.count;
  place += group.count;
  while (group.count == 8) {
    group = read_digit_group(place);
    place += group.count;
    num_digits += group.count;
    if (num_digits > 19) return nullptr;
    digits = digits * kShifts[group.count] + group.value;
  }
  unsigned decimals = 0;
  if (*place == '.') {
    ++place;
    do {
      group = read_digit_group(place);
      place += group.count;
      decimals += group.count;
      if (num_digits + decimals > 19) return nullptr;
      digits = digits * kShifts[group.count] + group.value;
    } while (group.count == 8);
  }
  if (digits > (std::uint64_t{1} << 53) || (*place | 0x20) == 'e') return nullptr;
  const double value = static_cast<double>(digits) / kPowersOfTen[decimals];
  out = negative ? -value : value;
  return place;
}

}  // namespace softwood
