#pragma once

#include <nlohmann/json_fwd.hpp>

#include "data/encoder/encoder.h"
#include "tree/ensemble.h"

namespace softwood {

/// The shape of a member's trees, as the file's description has it; the columns are the encoder's.
nlohmann::json shape_to_json(const EnsembleShape& shape);
/// Throws Error if it does not fit the encoder or itself.
EnsembleShape shape_from_json(const nlohmann::json& text, const Encoder& encoder);

}  // namespace softwood
