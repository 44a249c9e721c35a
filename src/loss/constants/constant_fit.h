#pragma once

#include <vector>

#include "loss/constants/constant_objective.h"

namespace softwood::loss {

/// Rows that merge to no more are all fitted; of more, Newton's steps see a sample of so many,
/// which finds the constants to about a hundredth of the response's spread, and one step with all
/// rows does the rest.
inline constexpr std::size_t kRowsFittedWhole = 20000;

struct Constants {
  std::vector<double> f;
  /// Per output, how far the rows on average want to leave the constant: the root mean square of
  /// their gradients over the mean curvature. 0: not known (many outputs, no curvature).
  std::vector<double> width;
};

/// The constants of least weighted loss: damped Newton with differences of gradients, then golden
/// sections along each output where the loss has kinks (constant_search.h bounds the number of
/// steps, whatever the numbers). The gradient is finite there. Throws Error if the loss is finite
/// at no start.
Constants fit_constants(const LossProgram& program, const WeightedRows& rows,
                        const ConstantFit& fit, const Checkpoint& checkpoint);

}  // namespace softwood::loss
