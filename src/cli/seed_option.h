#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

namespace softwood::cli {

/// An option that takes a whole number from 0 to 2^64 − 1 and refuses others, which CLI11 would
/// wrap around.
CLI::Option* add_seed_option(CLI::App& verb, const std::string& flag, std::uint64_t& field,
                             const std::string& help);

}  // namespace softwood::cli
