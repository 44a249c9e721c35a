#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tree/ensemble.h"

namespace softwood {

/// The shape of a member's trees, as the file's description has it; the columns are the
/// encoder's.
nlohmann::json shape_to_json(const EnsembleShape& shape);
/// `columns`: prediction_bases() of the encoder. Throws Error if a number is out of its range or
/// does not fit the columns or the outputs; whether the trees are in the file, check_bundle()
/// tells.
EnsembleShape shape_from_json(const nlohmann::json& text, const std::vector<ColumnBasis>& columns);

}  // namespace softwood
