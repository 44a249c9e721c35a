#pragma once

#include <vector>

#include "loss/constants/constant_objective.h"

namespace softwood::loss {

/// Newton steps, damped, with the objective's Hessian from differences of gradients over steps of
/// `difference`: as a matrix for few outputs, as products with directions (conjugate gradients) for
/// many. At most 60 of them, and for many outputs 400 gradients. Moves u and `at`, its loss, until
/// no step helps; true if the gradient vanished.
bool newton(const ConstantObjective& objective, double difference, std::vector<double>& u,
            MeanLoss& at);

/// One Newton step for a gradient that other rows have at u; empty if the loss is not convex there.
std::vector<double> newton_step(const ConstantObjective& objective, double difference,
                                const std::vector<double>& u, const std::vector<double>& gradient);

/// One golden section along each output, within brackets that first grow downhill: for kinks, which
/// Newton does not see. At most 100 losses for each output; nothing is done where many outputs
/// would make that long.
void golden_sections(const ConstantObjective& objective, std::vector<double>& u, MeanLoss& at);

/// Per output, the second derivative of the mean loss in u.
std::vector<double> curvatures(const ConstantObjective& objective, double difference,
                               const std::vector<double>& u);

}  // namespace softwood::loss
