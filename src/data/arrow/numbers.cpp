#include "data/arrow/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "data/text/cell_text.h"

namespace softwood {
namespace {

/// sign, 5 bits of exponent, 10 bits of fraction.
double half_to_double(std::uint16_t half) {
  const int exponent = half >> 10 & 31;
  const double fraction = half & 1023;
  double size = 0;
  if (exponent == 31) {
    size = fraction == 0 ? std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    size = std::ldexp(fraction, -24);
  } else {
    size = std::ldexp(1024 + fraction, exponent - 25);
  }
  return (half & 0x8000) != 0 ? -size : size;
}

/// A two's complement number of up to 256 bits, lowest limb first.
using Limbs = std::array<std::uint32_t, 8>;

/// Makes `limbs` its absolute value; true if it was negative.
bool take_sign(std::span<std::uint32_t> limbs) {
  const bool negative = (limbs.back() >> 31) != 0;
  std::uint64_t carry = 1;
  for (std::uint32_t& limb : limbs) {
    if (!negative) break;
    carry += static_cast<std::uint32_t>(~limb);
    limb = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  return negative;
}

/// The decimal digits of an absolute value, by repeated division by ten.
std::string digits_of(std::span<std::uint32_t> limbs) {
  std::string digits;
  while (std::any_of(limbs.begin(), limbs.end(), [](std::uint32_t limb) { return limb != 0; })) {
    std::uint64_t rest = 0;
    for (std::size_t limb = limbs.size(); limb-- > 0;) {
      rest = rest << 32 | limbs[limb];
      limbs[limb] = static_cast<std::uint32_t>(rest / 10);
      rest %= 10;
    }
    digits += static_cast<char>('0' + rest);
  }
  std::reverse(digits.begin(), digits.end());
  return digits.empty() ? "0" : digits;
}

double read_decimal(const unsigned char* bytes, const ArrowType& type) {
  Limbs storage{};
  std::memcpy(storage.data(), bytes, static_cast<std::size_t>(type.bits) / 8);
  const std::span<std::uint32_t> limbs(storage.data(), static_cast<std::size_t>(type.bits) / 32);
  const bool negative = take_sign(limbs);
  const std::string digits = digits_of(limbs);
  const double size = *parse_number(digits + "e" + std::to_string(-type.scale));
  return negative ? -size : size;
}

}  // namespace

void read_moments(const ArrowType& type, const ArrowArray& array, std::size_t first,
                  std::span<double> out) {
  const ArrowValues<std::int64_t> ticks(array);
  for (std::size_t row = 0; row < out.size(); ++row) {
    out[row] = seconds_of_moment(ticks[first + row], type.per_second);
  }
}

void read_days(const ArrowType&, const ArrowArray& array, std::size_t first,
               std::span<double> out) {
  const ArrowValues<std::int32_t> days(array);
  for (std::size_t row = 0; row < out.size(); ++row) out[row] = days[first + row] * 86400.0;
}

void read_bits(const ArrowType&, const ArrowArray& array, std::size_t first,
               std::span<double> out) {
  const std::size_t start = static_cast<std::size_t>(array.offset) + first;
  for (std::size_t row = 0; row < out.size(); ++row) {
    out[row] = arrow_bit(array.buffers[1], start + row) ? 1 : 0;
  }
}

void read_halves(const ArrowType&, const ArrowArray& array, std::size_t first,
                 std::span<double> out) {
  const ArrowValues<std::uint16_t> halves(array);
  for (std::size_t row = 0; row < out.size(); ++row) out[row] = half_to_double(halves[first + row]);
}

void read_decimals(const ArrowType& type, const ArrowArray& array, std::size_t first,
                   std::span<double> out) {
  const std::size_t width = static_cast<std::size_t>(type.bits) / 8;
  const auto* bytes = static_cast<const unsigned char*>(array.buffers[1]) +
                      (static_cast<std::size_t>(array.offset) + first) * width;
  for (std::size_t row = 0; row < out.size(); ++row) {
    out[row] = read_decimal(bytes + row * width, type);
  }
}

}  // namespace softwood
