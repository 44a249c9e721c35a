#pragma once

#include <cmath>
#include <string>

#include "tree/ensemble.h"

namespace softwood {

/// As options, files and views write it: "logistic" or "smooth_step".
std::string activation_name(Activation activation);
/// And back; Error for any other name.
Activation activation_named(const std::string& name);

/// S(z), the probability of going left, and S'(z).
struct LeftChance {
  double probability = 0;
  double slope = 0;
};

/// In double, by plain code.
inline LeftChance left_chance(const EnsembleShape& shape, double z) {
  if (shape.activation == Activation::logistic) {
    const double s = 1 / (1 + std::exp(-z));
    return {s, s * (1 - s)};
  }
  const double u = z / shape.gamma + 0.5;
  if (u <= 0) return {0, 0};
  if (u >= 1) return {1, 0};
  return {u * u * (3 - 2 * u), 6 * u * (1 - u) / shape.gamma};
}

}  // namespace softwood
