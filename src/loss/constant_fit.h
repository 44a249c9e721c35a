#pragma once

#include <vector>

#include "loss/loss_program.h"
#include "loss/weighted_rows.h"

namespace softwood::loss {

/// How the outputs are measured while a constant is fitted.
struct ConstantFit {
  std::vector<double> scale;  ///< a step of 1 in an output's own measure
  std::vector<bool>
      is_location;  ///< starts at the median of y; others start near 0 and are held there
};

/// The constants of least weighted loss: damped Newton with a Hessian from differences of
/// gradients, then golden sections along each output where the loss has kinks. A faint pull to 0 on
/// outputs that are no locations gives flat and unbounded directions an end. Throws Error if the
/// loss is finite at no start.
std::vector<double> fit_constants(const LossProgram& program, const WeightedRows& rows,
                                  const ConstantFit& fit);

/// Per output, the weighted mean of the squared gradient at constant outputs f.
std::vector<double> weighted_square_gradients(const LossProgram& program, const WeightedRows& rows,
                                              const std::vector<double>& f);

}  // namespace softwood::loss
