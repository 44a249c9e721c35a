#pragma once

#include <functional>
#include <span>
#include <vector>

#include "loss/language/loss_program.h"

namespace softwood {

/// f_k = offset_k + unit_k · g_k, where g is what the trees add up to; and the number by which the
/// loss is divided so that at g = 0 the gradients in g have root mean square 1.
struct Units {
  std::vector<double> offset;
  std::vector<double> unit;
  double loss_scale = 1;
};

/// Responses that are all equal count as if they varied by a millionth of themselves.
/// offset: the constant of least weighted loss (damped Newton; a flat or unbounded direction stops
/// at a sane bound). unit: as the file states; else the weighted standard deviation of y for a
/// location output or one of `unit NAME = y`; else 1 if y has at most two distinct values or is a
/// class, 0.3 otherwise, or three times as far as the rows on average want to leave the
/// constant, if that is less. `weights`: empty = all 1. `checkpoint` is called all along; what it
/// throws ends the search. Throws Error if no row has a response, the loss is not finite at any
/// start, or its numbers leave the range of doubles.
Units find_units(const LossProgram& program, const LossData& data, std::span<const double> weights,
                 const std::function<void()>& checkpoint = {});

}  // namespace softwood
