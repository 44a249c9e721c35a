#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace softwood {

/// Parses JSON that nobody vouches for. Throws Error if it is none, is nested deeper than any model
/// is, or would take far more memory than its text: a description of a model takes some twelve
/// times its length, `[[],[],…` thrice that.
nlohmann::json parse_bounded_json(std::string_view text);

}  // namespace softwood
