#include "model/file/half.h"

#include <bit>

#include <Eigen/Core>

namespace softwood {

std::uint16_t half_from_float(float value) {
  return Eigen::numext::bit_cast<std::uint16_t>(Eigen::half(value));
}

float float_from_half(std::uint16_t half) {
  return static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(half));
}

}  // namespace softwood
