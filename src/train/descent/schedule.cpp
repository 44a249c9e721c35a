#include "train/descent/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "options/choices.h"

namespace softwood {
namespace {

/// `t`: share of the run; of the first cycle, for doubling.
double course(Schedule::Kind kind, double t) {
  using std::numbers::pi;
  switch (kind) {
    case Schedule::Kind::constant:
      return 1;
    case Schedule::Kind::cosine:
      return 0.5 * (1 + std::cos(pi * t));
    case Schedule::Kind::four_cycles:
      return 0.5 * (1 - std::cos(2 * pi * std::log2(1 + cycle_lengths(4) * t)));
    case Schedule::Kind::doubling:
      return 0.5 * (1 - std::cos(2 * pi * std::log2(1 + t)));
  }
  return 1;
}

}  // namespace

double Schedule::factor(std::size_t step, std::size_t num_steps) const {
  // The middle of the step, so that no step of a short run has a rate of exactly 0.
  const double middle = static_cast<double>(step) + 0.5;
  const double rise =
      warm_up_steps == 0 ? 1 : std::min(1.0, middle / static_cast<double>(warm_up_steps));
  const double whole = kind == Kind::doubling ? cycle_steps : static_cast<double>(num_steps);
  return rise * course(kind, middle / whole);
}

Schedule::Kind schedule_kind(std::string_view name) {
  check_choice("schedule", kSchedules, name);
  if (name == "constant") return Schedule::Kind::constant;
  if (name == "cosine") return Schedule::Kind::cosine;
  return name == "four_cycles" ? Schedule::Kind::four_cycles : Schedule::Kind::doubling;
}

}  // namespace softwood
