#include "task/raw_outputs.h"

#include <utility>

namespace softwood {

std::vector<double> constant_offsets(const Tasks& tasks) {
  std::vector<double> offsets;
  for (const Task& task : tasks)
    offsets.insert(offsets.end(), task.units.offset.begin(), task.units.offset.end());
  return offsets;
}

std::vector<double> in_units(const Tasks& tasks, std::vector<double> g) {
  return in_units(tasks, constant_offsets(tasks), std::move(g));
}

std::vector<double> in_units(const Tasks& tasks, std::span<const double> offsets,
                             std::vector<double> g) {
  const std::size_t num_rows = g.size() / offsets.size();
  for (const Task& task : tasks) {
    for (std::size_t output = 0; output < task.num_outputs(); ++output) {
      double* values = g.data() + (task.first_output + output) * num_rows;
      const double offset = offsets[task.first_output + output];
      const double unit = task.units.unit[output];
      for (std::size_t row = 0; row < num_rows; ++row)
        values[row] = in_units(offset, unit, values[row]);
    }
  }
  return g;
}

}  // namespace softwood
