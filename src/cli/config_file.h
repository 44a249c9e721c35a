#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

namespace softwood::cli {

/// Gives every option of `verb` that was not on the command line the value that a TOML or JSON file
/// (by its first character) has under the option's name. Throws Error for a key that is no option.
/// `warn` hears of options by old names.
void apply_config(const std::string& path, CLI::App& verb,
                  const std::function<void(const std::string&)>& warn);

}  // namespace softwood::cli
