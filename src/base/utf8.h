#pragma once

#include <string>
#include <string_view>

namespace softwood {

bool is_utf8(std::string_view text);

/// `text` itself if it is UTF-8; otherwise its bytes read as Latin-1, the other encoding that
/// tables and texts come in. So whatever was read can be written as UTF-8, and different bytes stay
/// different texts.
std::string as_utf8(std::string_view text);

}  // namespace softwood
