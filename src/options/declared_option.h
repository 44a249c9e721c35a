#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "options/choices.h"
#include "options/range.h"

namespace softwood {

/// What there is to say of a training option, besides the field that holds its value.
struct DeclaredOption {
  const char* section = "";
  const char* name = "";        ///< learning-rate
  const char* value_name = "";  ///< what stands for the value in the help: N, COLUMN
  const char* help = "";
  /// What holds where the user says nothing; "" = nothing that could be said. The recipes are the
  /// truth (train/choices/recipe.cpp), and tests compare.
  const char* by_default = "";
  const char* in_paper = "";             ///< the same with --recipe paper; "" = as by default
  Range range = {};                      ///< of a number
  std::span<const Choice> choices = {};  ///< of a word; empty = any text
  /// The word "auto" is understood: what holds where the user says nothing.
  bool knows_auto = false;
};

/// As people read it: "Depth of every tree; 1 to 10 [3; paper: 4]".
std::string help_text(const DeclaredOption& option);

/// ", or auto" where that is a value, for messages that say what the option must be.
std::string or_auto(const DeclaredOption& option);

/// What a value of this type must be, in words.
template <class T>
constexpr const char* kind_of_value() {
  if constexpr (std::is_same_v<T, std::string>) return "a text";
  if constexpr (std::is_same_v<T, std::vector<std::string>>) return "a list of texts";
  if constexpr (std::is_floating_point_v<T>) return "a number";
  if constexpr (std::is_same_v<T, bool>) return "true or false";
  if constexpr (std::is_same_v<T, std::uint64_t>)
    return "a whole number from 0 to 18446744073709551615";
  return "a whole number below 2147483648";
}

}  // namespace softwood
