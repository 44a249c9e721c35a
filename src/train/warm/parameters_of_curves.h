#pragma once

#include <span>

#include "tree/ensemble.h"

namespace softwood {

/// The inverse of curves_from_parameters(): parameters whose curves have these values, for trees
/// that are to be trained on. Of all that do, slope and increments are those of the least squares.
/// What centring on other rows shifts in a curve goes to the bias, so that a split's score stays
/// what it is. `values` and `parameters` are buffers of the ensemble.
void parameters_of_curves(const Ensemble& ensemble, std::span<const float> values,
                          std::span<float> parameters);

}  // namespace softwood
