#pragma once

#include <nlohmann/json.hpp>

#include "softwood/compare.h"

namespace softwood::cli {

/// A list with one object per loss.
nlohmann::json as_json(const Comparison& comparison);

}  // namespace softwood::cli
