#pragma once

#include <string>
#include <string_view>

namespace softwood::cli {

/// Throws Error if a name of the TOML text has so many parts (a.b.c has three) that tables would
/// stand in tables beyond any use: the parser's tree is as deep, and whoever walks it calls himself
/// that often. `path` is for the message.
void check_parts_of_names(const std::string& path, std::string_view text);

}  // namespace softwood::cli
