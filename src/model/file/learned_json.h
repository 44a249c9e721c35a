#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/learned_table.h"

namespace softwood {

nlohmann::json learned_to_json(const std::vector<LearnedTable>& learned);
/// `list`: a JSON array. Throws Error if something in it is no account of a table.
std::vector<LearnedTable> learned_from_json(const nlohmann::json& list);

}  // namespace softwood
