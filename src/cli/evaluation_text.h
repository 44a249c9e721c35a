#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "softwood/model.h"

namespace softwood::cli {

/// Figures, calibration and PIT histogram of each task, then, of several, the averages of those
/// without a unit.
std::string as_text(const std::vector<Evaluation>& evaluations);

/// A list with one object per task.
nlohmann::json as_json(const std::vector<Evaluation>& evaluations);

}  // namespace softwood::cli
