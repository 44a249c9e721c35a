#pragma once

#include <span>
#include <vector>

#include "loss/loss_program.h"

namespace softwood {

/// f_k = offset_k + unit_k · g_k, where g is what the trees add up to; and the number by which the
/// loss is divided so that at g = 0 the gradients in g have root mean square 1.
struct Units {
  std::vector<double> offset;
  std::vector<double> unit;
  double loss_scale = 1;
};

/// True if the loss does not change when y and f[output] are shifted together (found by evaluating
/// the program at points of the data): the output lives on y's scale.
bool is_location_output(const LossProgram& program, std::size_t output, const LossData& data);

/// offset: the constant of least weighted loss (damped Newton; a flat or unbounded direction stops
/// at a sane bound). unit: as the file states; else the weighted standard deviation of y for a
/// location output or one of `unit NAME = y`; else 1 if y has at most two distinct values or is a
/// class, 0.3 otherwise. `weights`: empty = all 1. Throws Error if no row has a response or the
/// loss is not finite at any start.
Units find_units(const LossProgram& program, const LossData& data, std::span<const double> weights);

}  // namespace softwood
