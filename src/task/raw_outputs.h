#pragma once

#include <span>
#include <vector>

#include "task/tasks.h"

namespace softwood {

/// f = offset + unit · g: from what the trees add up to (g) to a raw output (f) that the loss
/// reads.
inline double in_units(double offset, double unit, double g) {
  return offset + unit * g;
}

/// The same of all outputs [outputs × rows], in the tasks' units; with the best constants as
/// offsets, or others, one per output.
std::vector<double> in_units(const Tasks& tasks, std::vector<double> g);
std::vector<double> in_units(const Tasks& tasks, std::span<const double> offsets,
                             std::vector<double> g);

/// The best constants of all outputs.
std::vector<double> constant_offsets(const Tasks& tasks);

}  // namespace softwood
