#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

namespace softwood::cli {

/// Options by the names that they had before: understood, but not shown in the help.
void add_old_options(CLI::App& verb);

/// Gives what was said by an old name to the option of today, with a warning. Throws Error if that
/// one was given, too.
void renew_old_options(CLI::App& verb, const std::function<void(const std::string&)>& warn);

/// It has a name that is not shown.
bool is_old(const CLI::Option& option);

/// As if it had been on the command line.
void give(CLI::Option& option, const std::vector<std::string>& values);

}  // namespace softwood::cli
