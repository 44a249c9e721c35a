#include "options/old_names.h"

#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "options/option_list.h"

namespace softwood {
namespace {

template <class T>
void renew(const DeclaredOption&, T&, const std::function<void(const std::string&)>&) {}
void renew(const DeclaredOption& option, std::string& text,
           const std::function<void(const std::string&)>& warn) {
  const std::string today(value_today(option.name, text));
  if (today == text) return;
  if (warn) {
    warn(fmt::format("{} '{}' is called '{}' now; the old name will go in the next version",
                     option.name, text, today));
  }
  text = today;
}
void renew(const DeclaredOption& option, std::optional<std::string>& text,
           const std::function<void(const std::string&)>& warn) {
  if (text) renew(option, *text, warn);
}

}  // namespace

std::string_view name_today(std::string_view name) {
  for (const OldName& each : kOldNames) {
    if (each.old_name == name) return each.name;
  }
  return name;
}

std::string_view value_today(std::string_view option, std::string_view value) {
  for (const OldValue& each : kOldValues) {
    if (each.option == option && each.old_value == value) return each.value;
  }
  return value;
}

std::string old_name_warning(std::string_view old_name, std::string_view name) {
  return fmt::format("{} is called {} now; the old name will go in the next version", old_name,
                     name);
}

std::string both_names_error(std::string_view old_name, std::string_view name) {
  return fmt::format("{} is the old name of {}: give one of them.", old_name, name);
}

TrainOptions with_values_of_today(TrainOptions options,
                                  const std::function<void(const std::string&)>& warn) {
  visit_options(options, [&](const DeclaredOption& option, auto& field) {
    if (!option.choices.empty()) renew(option, field, warn);
  });
  return options;
}

}  // namespace softwood
