#pragma once

#include <string_view>

namespace softwood::cli {

/// Throws Error if a key of a TOML text has more parts (a.b.c) than any configuration's: a parser
/// of tables in tables calls itself for each of them.
void expect_plain_keys(std::string_view text);

}  // namespace softwood::cli
