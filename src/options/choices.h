#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace softwood {

/// A word that an option may have as its value.
struct Choice {
  std::string_view name;
  std::string_view meaning = {};  ///< for the help, where the name does not say it all
};

inline constexpr std::array kRecipes = {
    Choice{"default"}, Choice{"paper", "linear splits, smooth step, constant rate"}};
inline constexpr std::array kActivations = {Choice{"logistic"}, Choice{"smooth_step"}};
inline constexpr std::array kShares = {Choice{"hard", "all splits"}, Choice{"partly", "some trees"},
                                       Choice{"soft", "splits pulled together"}, Choice{"none"}};
inline constexpr std::array kComponents = {Choice{"shared"},
                                           Choice{"separate", "each output has its own"}};
inline constexpr std::array kSchedules = {
    Choice{"constant"}, Choice{"cosine", "one slow fall"},
    Choice{"four_cycles", "each twice as long"},
    Choice{"doubling", "more of such cycles, while they gain"}};

/// "constant, cosine (one slow fall), four_cycles (each twice as long) or doubling (…)".
std::string choices_text(std::span<const Choice> choices);

/// Throws Error unless `text` is one of the choices: what they are, and which is nearest.
/// `knows_auto`: where the user says it, "auto" would do, too.
void check_choice(std::string_view option, std::span<const Choice> choices, std::string_view text,
                  bool knows_auto = false);

}  // namespace softwood
