#include "cli/config_file.h"

#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "softwood/error.h"

namespace softwood::cli {

/// The library asserts what is not so of all texts ([[{, x = [1,}): such a text is no TOML, with
/// assertions or without.
constexpr void expect_of_toml(bool fits) {
  if (!fits) throw Error("this is no TOML.");
}

}  // namespace softwood::cli

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) softwood::cli::expect_of_toml(static_cast<bool>(expression))
#define TOML_EXCEPTIONS 1
#define TOML_HEADER_ONLY 1
#include <sstream>
#include <vector>

#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "base/nearest_name.h"
#include "base/small_file.h"
#include "cli/old_options.h"
#include "cli/toml_text.h"
#include "options/old_names.h"

namespace softwood::cli {
namespace {

using nlohmann::json;

/// Lists of names may be long, and that is all.
constexpr std::size_t kMostBytes = std::size_t{4} << 20;

std::string read_text(const std::string& path) {
  std::string text = read_small_file(path, kMostBytes, "the options in");
  if (text.size() > kMostBytes) {
    throw Error(
        fmt::format("'{}' is longer than {} MB, and no file of options: --config reads TOML "
                    "or JSON such as trees = 40.",
                    path, kMostBytes >> 20));
  }
  return text;
}

/// TOML by way of JSON: one reading of values below.
json parse(const std::string& path, const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string::npos && text[first] == '{';
  if (!is_json) check_toml_text(path, text);
  try {
    if (is_json) return json::parse(text);
    std::ostringstream out;
    out << toml::json_formatter(toml::parse(text));
    return json::parse(out.str());
  } catch (const json::exception& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}:{}:{}: {}.", path, error.source().begin.line,
                            error.source().begin.column, error.description()));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
}

std::string word(const std::string& path, const std::string& key, const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_structured() || value.is_null()) {
    throw Error(fmt::format("{}: '{}' must be a number, a text, true or false, or a list of these.",
                            path, key));
  }
  return value.dump();
}

std::vector<std::string> words(const std::string& path, const std::string& key, const json& value) {
  std::vector<std::string> list;
  if (value.is_object()) {  // task = { casual = "poisson" }
    for (const auto& [name, item] : value.items())
      list.push_back(name + "=" + word(path, key, item));
  } else if (value.is_array()) {
    for (const json& item : value) list.push_back(word(path, key, item));
  } else {
    list.push_back(word(path, key, value));
  }
  return list;
}

/// An option's long name, or a positional's, in lower case: --batch-size and DATA are batch-size
/// and data.
std::string config_name(const CLI::Option& option) {
  const std::string name =
      option.get_lnames().empty() ? option.get_name() : option.get_lnames().front();
  return CLI::detail::to_lower(name);
}

/// All that may be in the file, by name.
std::map<std::string, CLI::Option*> options_of(CLI::App& verb) {
  std::map<std::string, CLI::Option*> options;
  for (CLI::Option* option : verb.get_options()) {
    const std::string name = config_name(*option);
    if (name != "help" && name != "config" && !is_old(*option)) options[name] = option;
  }
  return options;
}

/// batch_size is batch-size.
std::string with_dashes(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

/// The option that a key means.
CLI::Option& find_option(const std::map<std::string, CLI::Option*>& options,
                         const std::string& path, const std::string& key) {
  const std::string name = with_dashes(key);
  const auto found = options.find(std::string(name_today(name)));
  if (found != options.end()) return *found->second;
  std::vector<std::string> names;
  for (const auto& [each, option] : options) names.push_back(each);
  throw Error(fmt::format("{}: there is no option '{}'.{}", path, key, did_you_mean(name, names)));
}

/// Says a word if the key is an old name; throws Error if the file has today's as well.
void tell_old_name(const json& config, const std::string& path, const std::string& key,
                   const std::function<void(const std::string&)>& warn) {
  const std::string name = with_dashes(key), today(name_today(name));
  if (name == today) return;
  for (const auto& [other, value] : config.items()) {
    if (with_dashes(other) == today)
      throw Error(fmt::format("{}: {}", path, both_names_error(key, other)));
  }
  warn(fmt::format("{}: {}", path, old_name_warning(key, today)));
}

}  // namespace

void apply_config(const std::string& path, CLI::App& verb,
                  const std::function<void(const std::string&)>& warn) {
  const json config = parse(path, read_text(path));
  const std::map<std::string, CLI::Option*> options = options_of(verb);
  for (const auto& [key, value] : config.items()) {
    CLI::Option& option = find_option(options, path, key);
    tell_old_name(config, path, key, warn);
    if (option.count() > 0) continue;  // the command line wins
    try {
      give(option, words(path, key, value));
    } catch (const CLI::Error& error) {
      throw Error(fmt::format("{}: {}: {}", path, key, error.what()));
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", path, error.what()));
    }
  }
}

}  // namespace softwood::cli
