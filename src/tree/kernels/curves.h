#pragma once

#include <span>

#include "tree/ensemble.h"

namespace softwood {

/// parameters → knot values, for one bundle: φ of every node, column and knot (prefix sums and
/// centring). Linear columns, biases and leaves are copied. `values` may not be `parameters`.
void curves_from_parameters(const Ensemble& ensemble, std::size_t bundle,
                            std::span<const float> parameters, std::span<float> values);

/// The same map transposed, in place: gradients of the knot values → gradients of the parameters
/// (suffix sums and centring). Linear columns, biases and leaves stay.
void gradients_of_parameters(const Ensemble& ensemble, std::size_t bundle,
                             std::span<float> gradients);

}  // namespace softwood
