#pragma once

#include <string>
#include <string_view>

namespace softwood::cli {

/// What the TOML library does not stand is said before it sees the text. Throws Error if a name has
/// so many parts (a.b.c has three) that tables would stand in tables beyond any use: the parser's
/// tree is as deep, and whoever walks it calls himself that often; or if something outside of
/// quotes and comments is not ASCII, which no TOML is. `path` is for the message.
void check_toml_text(const std::string& path, std::string_view text);

}  // namespace softwood::cli
