#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace softwood::cli {

/// Gives every option of `verb` that was not on the command line the value that a TOML or JSON file
/// (by its first character) has under the option's name. Throws Error for a key that is no option.
void apply_config(const std::string& path, CLI::App& verb);

}  // namespace softwood::cli
