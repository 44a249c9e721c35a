#pragma once

#include <nlohmann/json_fwd.hpp>

#include "softwood/options.h"

namespace softwood {

/// The options that decide a model, by their names; unset ones and `threads` (which changes no
/// result) are left out.
nlohmann::json options_to_json(const TrainOptions& options);
/// Throws Error for a value of another type than its option's.
TrainOptions options_from_json(const nlohmann::json& json);

}  // namespace softwood
