#pragma once

#include <cstddef>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace softwood {

/// Parses JSON that nobody vouches for. Throws Error if it is none, is nested deeper than any model
/// is, or would take far more memory than the file that it stands in: numbers of a scale take about
/// twice their text and levels ten times, but what is learned of them has numbers in the file, too.
nlohmann::json parse_bounded_json(std::string_view text, std::size_t file_size);

}  // namespace softwood
