#include "loss/catalogue/find_loss.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/small_file.h"
#include "base/utf8.h"
#include "loss/catalogue/call_arguments.h"
#include "loss/catalogue/catalogue.h"
#include "loss/catalogue/foreign_losses.h"
#include "loss/catalogue/spec_text.h"
#include "loss/language/functions.h"
#include "loss/language/limits.h"
#include "loss/language/parser.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using loss::Expression;
using loss::is_identifier;
using loss::Statement;
using loss::trimmed;

struct Call {
  std::string_view name;
  loss::Arguments arguments;
};
/// "NAME" or "NAME(arguments)"; the whole text is the name if what stands in brackets are no
/// arguments of a loss.
Call read_call(std::string_view spec) {
  const std::size_t open = spec.find('(');
  if (open == std::string_view::npos || spec.back() != ')') return {spec, {}};
  const auto arguments = loss::read_arguments(spec.substr(open + 1, spec.size() - open - 2));
  if (!arguments) return {spec, {}};
  return {trimmed(spec.substr(0, open)), *arguments};
}

ParsedLoss with_settings(LossSource source, const loss::Arguments& arguments) {
  ParsedLoss parsed(std::move(source));
  parsed.settings = loss::assign_arguments(arguments, *parsed.syntax, parsed.name);
  loss::check_settings(*parsed.syntax, parsed);
  return parsed;
}

[[noreturn]] void refuse_foreign(std::string_view spec, const loss::ForeignLoss& foreign) {
  throw Error(
      fmt::format("there is no loss '{}'; {}'s is called '{}' here. 'softwood losses {}' shows it.",
                  spec, foreign.library, foreign.ours, foreign.ours));
}

ParsedLoss from_catalogue(const Call& call) {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : loss_catalogue()) {
    names.push_back(entry.name);
    names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
    const bool alias =
        std::find(entry.aliases.begin(), entry.aliases.end(), call.name) != entry.aliases.end();
    if (entry.name != call.name && !alias) continue;
    return with_settings({entry.name, entry.text, {}}, call.arguments);
  }
  if (const auto* foreign = loss::find_foreign_loss(call.name)) refuse_foreign(call.name, *foreign);
  const std::string nearest = loss::suggestion(call.name, names);
  throw Error(
      fmt::format("no loss '{}' in the catalogue{} 'softwood losses' lists them; "
                  "a formula needs y and f, as in (y - f)^2.",
                  call.name, nearest.empty() ? "." : nearest));
}

ParsedLoss from_file(std::string_view spec) {
  Call call = read_call(spec);
  call.arguments = read_call(as_utf8(spec)).arguments;
  std::error_code unknown;  // of a name that no system takes: it is no file
  if (std::filesystem::exists(std::string(spec), unknown))
    call = {spec, {}};  // brackets in a file's name
  const std::string path(call.name);
  // What is too long is refused as any loss is.
  const std::string bytes = read_small_file(path, loss::kMaxTextBytes, "the loss file");
  const std::string name = as_utf8(std::filesystem::path(path).filename().string());
  return with_settings({name, loss::plain_text(bytes, name), {}}, call.arguments);
}

struct Uses {
  bool y = false, f = false, vector = false;
};
/// A call whose argument is a vector.
bool takes_vector(const Expression& call) {
  using enum loss::Function::Kind;
  const loss::Function& function = *loss::find_function(call.text);
  return function.kind == reduction || function.kind == vector_map || function.kind == size ||
         (function.kind == min_max && call.operands.size() == 1);
}
/// How a formula uses f: as a vector if it is indexed or goes into a function of vectors, but not
/// as a component of [ ].
void find_uses(const Expression& expression, bool as_vector, Uses& uses) {
  using Kind = Expression::Kind;
  const bool is_f = expression.kind == Kind::name && expression.text == "f";
  uses.f = uses.f || is_f;
  uses.y = uses.y || (expression.kind == Kind::name && expression.text == "y");
  uses.vector = uses.vector || (is_f && as_vector);
  const bool starts = expression.kind == Kind::call && takes_vector(expression);
  for (std::size_t k = 0; k < expression.operands.size(); ++k) {
    const bool indexed = expression.kind == Kind::index && k == 0;
    const bool ends = expression.kind == Kind::vector || (expression.kind == Kind::index && k == 1);
    find_uses(*expression.operands[k], starts || indexed || (as_vector && !ends), uses);
  }
}

/// A bare formula becomes a whole program; several statements are one already.
ParsedLoss from_formula(std::string_view spec) {
  ParsedLoss parsed({"formula", std::string(spec), {}});
  if (parsed.syntax->statements.empty())
    throw Error("the loss has comments alone; write a formula, as in (y - f)^2.");
  const Statement& first = parsed.syntax->statements[0];
  const bool bare = parsed.syntax->statements.size() == 1 && first.kind == Statement::Kind::formula;
  if (!bare) return parsed;
  Uses uses;
  find_uses(*first.value, false, uses);
  if (!uses.f || !uses.y) {
    throw Error(
        fmt::format("the formula '{}' does not use {}; y is the response and f what the trees "
                    "predict, as in (y - f)^2.",
                    spec, uses.f ? "y" : "f"));
  }
  const std::string program =
      uses.vector
          ? fmt::format("outputs f[classes]\nloss = {}\nprobability = softmax(f)\n", first.source)
          : fmt::format("outputs f\nloss = {}\nmean = f\n", first.source);
  return ParsedLoss({parsed.name, program, {}});
}

/// Our texts have no colon outside of comments; XGBoost's names and Python's functions do.
void refuse_what_others_say(std::string_view spec) {
  if (const auto* foreign = loss::find_foreign_loss(spec)) refuse_foreign(spec, *foreign);
  if (loss::is_python(spec)) {
    throw Error(
        fmt::format("'{}' is Python as text. In Python, give the function itself, without quotes; "
                    "as a text, the formula alone, as in (y - f)^2.",
                    spec));
  }
}

}  // namespace

ParsedLoss find_loss(std::string_view given) {
  const std::string text = loss::plain_text(given, "loss");
  const std::string_view spec = trimmed(text);
  if (spec.empty())
    throw Error("the loss is empty; name one ('softwood losses' lists them) or write a formula.");
  // A file's name is bytes, whatever they mean.
  if (spec.starts_with('@')) return from_file(trimmed(trimmed(given).substr(1)));
  const Call call = read_call(spec);
  // softmax is both a loss and a function; max(y, f) looks like a loss with two settings.
  const bool calls_function = loss::find_function(call.name) != nullptr &&
                              call.arguments.by_name.empty() && call.name.size() != spec.size();
  const bool is_formula = calls_function || call.arguments.reads_formula_names;
  if (is_identifier(call.name) && !is_formula) return from_catalogue(call);
  if (spec.find(':') != std::string_view::npos) refuse_what_others_say(spec);
  return from_formula(spec);
}

}  // namespace softwood
