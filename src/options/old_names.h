#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "softwood/options.h"

namespace softwood {

/// An option's name before it had the one of today. It works for one more version, with a word.
struct OldName {
  std::string_view old_name;
  std::string_view name;
};
inline constexpr std::array kOldNames = {OldName{"group", "keep-together"},
                                         OldName{"groups", "ensemble"}};

/// The same of a word that is an option's value.
struct OldValue {
  std::string_view option;
  std::string_view old_value;
  std::string_view value;
};
inline constexpr std::array kOldValues = {OldValue{"schedule", "coslog4", "four_cycles"}};

/// Today's name of an option, which may be the one given.
std::string_view name_today(std::string_view name);
/// Today's word for the value of an option, which may be the one given.
std::string_view value_today(std::string_view option, std::string_view value);

/// What is said to whoever uses the old name; and to whoever gives both. Names as they are written
/// there: --group, group.
std::string old_name_warning(std::string_view old_name, std::string_view name);
std::string both_names_error(std::string_view old_name, std::string_view name);

/// The options with today's words. `warn`, if there is one, hears of those that were old.
TrainOptions with_values_of_today(TrainOptions options,
                                  const std::function<void(const std::string&)>& warn);

}  // namespace softwood
