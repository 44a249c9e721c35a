#include "loss/catalogue/call_arguments.h"

#include <algorithm>
#include <charconv>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loss/catalogue/spec_text.h"
#include "softwood/error.h"

namespace softwood::loss {
namespace {

using MaybeSetting = std::optional<LossSetting>;

/// 2, -1.5, -inf.
std::optional<double> read_number(std::string_view text) {
  double value = 0;
  const std::string_view digits = text.substr(text.starts_with('+') ? 1 : 0);
  const auto [stop, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem != std::errc() || stop != digits.data() + digits.size()) return std::nullopt;
  return value;
}

/// [0.1, 0.9]
MaybeSetting read_vector(std::string_view text) {
  std::vector<double> numbers;
  const std::string_view inside = trimmed(text.substr(1, text.size() - 2));
  if (inside.empty()) return MaybeSetting(std::in_place, numbers);
  for (const std::string_view part : split_at_commas(inside)) {
    const auto number = read_number(trimmed(part));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return MaybeSetting(std::in_place, std::move(numbers));
}

/// A number, a vector of numbers, a column's name, bare or in quotes.
MaybeSetting read_setting(std::string_view text) {
  if (text.size() >= 2 && is_quote(text[0]) && text.back() == text[0])
    return MaybeSetting(std::in_place, std::string(text.substr(1, text.size() - 2)));
  if (text.size() >= 2 && text[0] == '[' && text.back() == ']') return read_vector(text);
  if (const auto number = read_number(text)) return MaybeSetting(std::in_place, *number);
  if (is_identifier(text)) return MaybeSetting(std::in_place, std::string(text));
  return std::nullopt;
}

struct Parameter {
  std::string name;
  bool is_vector;
};
std::vector<Parameter> parameters_of(const Syntax& syntax) {
  std::vector<Parameter> parameters;
  for (const Statement& statement : syntax.statements) {
    if (statement.kind != Statement::Kind::param) continue;
    parameters.push_back({statement.name, statement.value->kind == Expression::Kind::vector});
  }
  return parameters;
}

std::vector<std::string> names_of(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

/// Numbers that stand one after the other, as a vector.
LossSetting join(std::span<const LossSetting> settings, const std::string& loss_name,
                 const std::string& parameter) {
  if (settings.size() == 1) return settings[0];
  std::vector<double> numbers;
  for (const LossSetting& setting : settings) {
    const double* number = std::get_if<double>(&setting);
    if (number == nullptr) {
      throw Error(fmt::format("{}: the parameter '{}' needs numbers, as in {}(0.1, 0.9)", loss_name,
                              parameter, loss_name));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

[[noreturn]] void refuse_count(std::size_t given, const std::vector<Parameter>& parameters,
                               const std::string& loss_name) {
  if (parameters.empty())
    throw Error(fmt::format("{}: this loss has no parameters to set", loss_name));
  throw Error(fmt::format("{}: {} settings, but this loss has {} parameter{}: {}", loss_name, given,
                          parameters.size(), parameters.size() == 1 ? "" : "s",
                          fmt::join(names_of(parameters), ", ")));
}

}  // namespace

std::optional<Arguments> read_arguments(std::string_view text) {
  Arguments arguments;
  if (trimmed(text).empty()) return arguments;
  for (const std::string_view part : split_at_commas(text)) {
    const std::string_view whole = trimmed(part);
    const bool quoted = !whole.empty() && is_quote(whole[0]);
    const std::size_t equals = quoted ? std::string_view::npos : whole.find('=');
    const bool named = equals != std::string_view::npos;
    const auto setting = read_setting(named ? trimmed(whole.substr(equals + 1)) : whole);
    if (!setting) return std::nullopt;
    if (named) {
      const std::string_view name = trimmed(whole.substr(0, equals));
      if (!is_identifier(name)) return std::nullopt;
      arguments.by_name.emplace_back(name, *setting);
      continue;
    }
    arguments.is_out_of_order = arguments.is_out_of_order || !arguments.by_name.empty();
    arguments.reads_formula_names = arguments.reads_formula_names || whole == "y" || whole == "f";
    arguments.by_position.push_back(*setting);
  }
  return arguments;
}

std::map<std::string, LossSetting> assign_arguments(const Arguments& arguments,
                                                    const Syntax& syntax,
                                                    const std::string& loss_name) {
  if (arguments.is_out_of_order) {
    throw Error(fmt::format(
        "{}: a setting without a name stands after one with a name; settings by position come "
        "first",
        loss_name));
  }
  const std::vector<Parameter> parameters = parameters_of(syntax);
  const std::span<const LossSetting> given(arguments.by_position);
  std::map<std::string, LossSetting> settings;
  for (std::size_t k = 0; k < given.size();) {
    if (k >= parameters.size()) refuse_count(given.size(), parameters, loss_name);
    const bool takes_rest = parameters[k].is_vector && k + 1 == parameters.size();
    const auto own = given.subspan(k, takes_rest ? given.size() - k : 1);
    settings[parameters[k].name] = join(own, loss_name, parameters[k].name);
    k += own.size();
  }
  for (const auto& [name, setting] : arguments.by_name) {
    if (!settings.try_emplace(name, setting).second)
      throw Error(fmt::format("{}: the parameter '{}' is set twice", loss_name, name));
  }
  return settings;
}

void check_settings(const Syntax& syntax, const LossSource& source) {
  const std::vector<std::string> names = names_of(parameters_of(syntax));
  for (const auto& [name, setting] : source.settings) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::string advice = suggestion(name, names);
    if (names.empty()) advice = "; this loss has none";
    if (advice.empty()) advice = fmt::format("; this loss has {}", fmt::join(names, ", "));
    throw Error(fmt::format("{}: no parameter '{}'{}", source.name, name, advice));
  }
}

}  // namespace softwood::loss
