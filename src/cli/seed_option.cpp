#include "cli/seed_option.h"

#include <charconv>

#include <fmt/format.h>

namespace softwood::cli {

CLI::Option* add_seed_option(CLI::App& verb, const std::string& flag, std::uint64_t& field,
                             const std::string& help) {
  const auto read = [&field, flag](const std::string& text) {
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, field);
    if (problem == std::errc() && stop == end) return;
    throw CLI::ValidationError(
        flag, fmt::format("'{}' must be a whole number from 0 to 18446744073709551615.", text));
  };
  return verb.add_option_function<std::string>(flag, read, help);
}

}  // namespace softwood::cli
