#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loss/catalogue.h"
#include "loss/functions.h"
#include "loss/lexer.h"
#include "loss/lowering.h"
#include "loss/parser.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using loss::Expression;
using loss::Statement;
using Settings = std::map<std::string, LossSetting>;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), letter);
}

/// 2, -1.5, -inf; a column's name, bare or in quotes.
std::optional<LossSetting> read_setting(std::string_view text) {
  if (text.size() >= 2 && (text[0] == '"' || text[0] == '\'' || text[0] == '`') &&
      text.back() == text[0]) {
    return LossSetting(std::string(text.substr(1, text.size() - 2)));
  }
  double value = 0;
  const std::string_view digits = text.substr(text.starts_with('+') ? 1 : 0);
  const auto [stop, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem == std::errc() && stop == digits.data() + digits.size()) return LossSetting(value);
  if (is_identifier(text)) return LossSetting(std::string(text));
  return std::nullopt;
}

/// The parts between commas that stand outside quotes.
std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  char quote = '\0';
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'' || c == '`') {
      quote = c;
    } else if (c == ',') {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

/// "delta=2, exposure=Exposure"; nothing if the text is not of that form.
std::optional<Settings> read_settings(std::string_view text) {
  Settings settings;
  if (trimmed(text).empty()) return settings;
  for (const std::string_view part : split_at_commas(text)) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string_view name = trimmed(part.substr(0, equals));
    const auto setting = read_setting(trimmed(part.substr(equals + 1)));
    if (!is_identifier(name) || !setting) return std::nullopt;
    settings[std::string(name)] = *setting;
  }
  return settings;
}

struct Call {
  std::string_view name;
  Settings settings;
};
/// "NAME" or "NAME(settings)"; the whole text is the name if what stands in brackets are no
/// settings.
Call read_call(std::string_view spec) {
  const std::size_t open = spec.find('(');
  if (open == std::string_view::npos || spec.back() != ')') return {spec, {}};
  const auto settings = read_settings(spec.substr(open + 1, spec.size() - open - 2));
  if (!settings) return {spec, {}};
  return {trimmed(spec.substr(0, open)), *settings};
}

void check_settings(const LossSource& source) {
  const std::vector<std::string> names =
      loss::parameter_names(loss::parse(source.text, source.name));
  for (const auto& [name, setting] : source.settings) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::string advice = loss::suggestion(name, names);
    if (names.empty()) advice = "; this loss has none";
    if (advice.empty()) advice = fmt::format("; this loss has {}", fmt::join(names, ", "));
    throw Error(fmt::format("{}: no parameter '{}'{}", source.name, name, advice));
  }
}

LossSource from_catalogue(const Call& call) {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : loss_catalogue()) {
    names.push_back(entry.name);
    names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
    const bool alias =
        std::find(entry.aliases.begin(), entry.aliases.end(), call.name) != entry.aliases.end();
    if (entry.name != call.name && !alias) continue;
    LossSource source{entry.name, entry.text, call.settings};
    check_settings(source);
    return source;
  }
  const std::string nearest = loss::suggestion(call.name, names);
  throw Error(
      fmt::format("no loss '{}' in the catalogue{} 'softwood losses' lists them; "
                  "a formula needs y and f, as in (y - f)^2.",
                  call.name, nearest.empty() ? "." : nearest));
}

LossSource from_file(std::string_view spec) {
  Call call = read_call(spec);
  if (std::filesystem::exists(std::string(spec))) call = {spec, {}};  // brackets in a file's name
  const std::string path(call.name);
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) {
    throw Error(fmt::format("cannot read the loss file '{}'.", path));
  }
  LossSource source{std::filesystem::path(path).filename().string(),
                    std::string(std::istreambuf_iterator<char>(file), {}), call.settings};
  check_settings(source);
  return source;
}

struct Uses {
  bool y = false, f = false, vector = false;
};
/// How a formula uses f: as a vector if it is indexed or goes into a function of vectors.
void find_uses(const Expression& expression, Uses& uses) {
  const auto is_f = [](const Expression& e) {
    return e.kind == Expression::Kind::name && e.text == "f";
  };
  uses.f = uses.f || is_f(expression);
  uses.y = uses.y || (expression.kind == Expression::Kind::name && expression.text == "y");
  if (expression.kind == Expression::Kind::index) uses.vector = true;
  if (expression.kind == Expression::Kind::call) {
    const loss::Function& function = *loss::find_function(expression.text);
    const bool takes_vector =
        function.kind == loss::Function::Kind::reduction ||
        function.kind == loss::Function::Kind::vector_map ||
        (function.kind == loss::Function::Kind::min_max && expression.operands.size() == 1);
    uses.vector = uses.vector || takes_vector;
  }
  for (const auto& operand : expression.operands) find_uses(*operand, uses);
}

/// A bare formula becomes a whole program; several statements are one already.
LossSource from_formula(std::string_view spec) {
  LossSource source{"formula", std::string(spec), {}};
  const loss::Syntax syntax = loss::parse(source.text, source.name);
  const bool bare =
      syntax.statements.size() == 1 && syntax.statements[0].kind == Statement::Kind::formula;
  if (!bare) return source;
  Uses uses;
  find_uses(*syntax.statements[0].value, uses);
  if (!uses.f || !uses.y) {
    throw Error(
        fmt::format("the formula '{}' does not use {}; y is the response and f what the trees "
                    "predict, as in (y - f)^2.",
                    spec, uses.f ? "y" : "f"));
  }
  const std::string& formula = syntax.statements[0].source;
  source.text =
      uses.vector
          ? fmt::format("outputs f[classes]\nloss = {}\nprobability = softmax(f)\n", formula)
          : fmt::format("outputs f\nloss = {}\nmean = f\n", formula);
  return source;
}

}  // namespace

LossSource find_loss(std::string_view spec) {
  spec = trimmed(spec);
  if (spec.empty())
    throw Error("the loss is empty; name one ('softwood losses' lists them) or write a formula.");
  if (spec.starts_with('@')) return from_file(trimmed(spec.substr(1)));
  const Call call = read_call(spec);
  const bool is_formula_call = loss::find_function(call.name) != nullptr && call.settings.empty() &&
                               call.name.size() != spec.size();
  if (is_identifier(call.name) && !is_formula_call) return from_catalogue(call);
  return from_formula(spec);
}

}  // namespace softwood
