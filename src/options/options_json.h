#pragma once

#include <nlohmann/json_fwd.hpp>

#include "softwood/options.h"

namespace softwood {

/// The options that decide a model, by their names; unset ones and `threads` (which changes no
/// result) are left out.
nlohmann::json options_to_json(const TrainOptions& options);
TrainOptions options_from_json(const nlohmann::json& json);

}  // namespace softwood
