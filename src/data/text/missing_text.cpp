#include "data/text/missing_text.h"

#include <algorithm>
#include <array>
#include <span>

#include "data/text/cell_text.h"

namespace softwood {
namespace {

constexpr std::array<std::string_view, 29> kMissing = {
    "?",        "na",     "nan",     "nat",     "null",     "n/a",      "#n/a",
    "#na",      "<na>",   "<null>",  "(null)",  "\\n",      "-nan",     "+nan",
    "#div/0!",  "#null!", "#num!",   "#ref!",   "#value!",  "#name?",   "#spill!",
    "#calc!",   "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan", "#n/a n/a",
    "\xC2\xA0",  // a space that does not break, in UTF-8
    "\xA0",      // and in Latin-1
};

constexpr std::array<std::string_view, 19> kMissingAmongValues = {
    "-",
    "--",
    "---",
    "\xE2\x80\x93",  // en dash
    "\xE2\x80\x94",  // em dash
    ".",
    "..",
    "...",
    "*",
    "none",
    "nil",
    "n.a.",
    "n.a",
    "k.a.",
    "missing",
    "unknown",
    "not available",
    "0000-00-00",
    "0000-00-00 00:00:00",
};

/// Which bytes begin one of the tokens: most cells are sorted out by their first one.
std::array<bool, 256> first_bytes(std::span<const std::string_view> tokens) {
  std::array<bool, 256> found{};
  for (const std::string_view token : tokens) {
    const auto first = static_cast<unsigned char>(token[0]);
    found[first] = true;
    if (first >= 'a' && first <= 'z') found[first - 'a' + 'A'] = true;
  }
  return found;
}

bool is_any_of(std::string_view text, std::span<const std::string_view> tokens) {
  return std::any_of(tokens.begin(), tokens.end(),
                     [&](std::string_view token) { return equals_ignoring_case(text, token); });
}

}  // namespace

bool is_missing_text(std::string_view text) {
  static const std::array<bool, 256> kFirst = first_bytes(kMissing);
  if (text.empty()) return true;
  return kFirst[static_cast<unsigned char>(text[0])] && is_any_of(text, kMissing);
}

bool is_missing_in_arff(std::string_view text) {
  static constexpr std::array<std::string_view, 4> kTokens = {"?", "na", "nan", "null"};
  return text.empty() || is_any_of(text, kTokens);
}

bool is_missing_among_values(std::string_view text) {
  static const std::array<bool, 256> kFirst = first_bytes(kMissingAmongValues);
  if (text.empty()) return true;
  return kFirst[static_cast<unsigned char>(text[0])] && is_any_of(text, kMissingAmongValues);
}

}  // namespace softwood
