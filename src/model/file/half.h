#pragma once

#include <cstdint>

namespace softwood {

/// IEEE 754 binary16, the numbers of a model's thinned curves: 11 significant bits. The nearest
/// one, ties to even; what is beyond 65,504 is infinite.
std::uint16_t half_from_float(float value);
float float_from_half(std::uint16_t half);

/// The nearest float that 16 bits hold.
inline float rounded_to_half(float value) {
  return float_from_half(half_from_float(value));
}

}  // namespace softwood
