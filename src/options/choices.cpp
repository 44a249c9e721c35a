#include "options/choices.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.h"
#include "softwood/error.h"

namespace softwood {
namespace {

/// "a, b or c".
std::string one_of(const std::vector<std::string>& words) {
  if (words.size() < 2) return fmt::format("{}", fmt::join(words, ""));
  return fmt::format("{} or {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

}  // namespace

std::string choices_text(std::span<const Choice> choices) {
  std::vector<std::string> words;
  for (const Choice& choice : choices) {
    words.push_back(choice.meaning.empty() ? std::string(choice.name)
                                           : fmt::format("{} ({})", choice.name, choice.meaning));
  }
  return one_of(words);
}

void check_choice(std::string_view option, std::span<const Choice> choices, std::string_view text,
                  bool knows_auto) {
  std::vector<std::string> names;
  for (const Choice& choice : choices) names.emplace_back(choice.name);
  if (std::find(names.begin(), names.end(), text) != names.end()) return;
  if (knows_auto && text != "auto") names.emplace_back("auto");
  throw Error(fmt::format("{} '{}' is unknown: use {}.{}", option, text, one_of(names),
                          did_you_mean(text, names)));
}

}  // namespace softwood
