#pragma once

#include <span>
#include <vector>

#include "base/views.h"
#include "tree/ensemble.h"

namespace softwood {

/// The truth: plain scalar double code straight from the formulas (path products, features written
/// out), slow and obvious. `parameters` and the gradient have the layout of an ensemble buffer.

/// out [num_outputs × rows], overwritten.
void reference_forward(const Ensemble& ensemble, std::span<const double> parameters,
                       MatrixView<const float> positions, MatrixView<double> out);

/// The gradient of Σ output_gradients · out in every parameter (not knot values), an ensemble
/// buffer.
std::vector<double> reference_gradient(const Ensemble& ensemble, std::span<const double> parameters,
                                       MatrixView<const float> positions,
                                       MatrixView<const double> output_gradients);

}  // namespace softwood
