#include "options/set_option.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "options/old_names.h"
#include "options/option_list.h"
#include "softwood/error.h"

namespace softwood {
namespace {

/// The whole of the text as a number.
template <class T>
bool parse(std::string_view text, T& number) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  return problem == std::errc() && stop == end;
}

bool parse(std::string_view text, bool& value) {
  constexpr std::array kTrue = {"true", "yes", "on", "1"};
  constexpr std::array kFalse = {"false", "no", "off", "0"};
  const auto is_among = [&](const auto& words) {
    return std::find(words.begin(), words.end(), text) != words.end();
  };
  value = is_among(kTrue);
  return value || is_among(kFalse);
}

bool parse(std::string_view text, std::string& value) {
  value = text;
  return true;
}

bool parse(std::string_view text, std::vector<std::string>& list) {
  list.clear();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) list.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return true;
}

void check(const DeclaredOption&, bool) {}
void check(const DeclaredOption&, std::uint64_t) {}
void check(const DeclaredOption&, const std::vector<std::string>&) {}
void check(const DeclaredOption& option, int number) {
  check_value(option, number);
}
void check(const DeclaredOption& option, double number) {
  check_value(option, number);
}
void check(const DeclaredOption& option, const std::string& word) {
  check_value(option, word);
}
template <class T>
void check(const DeclaredOption& option, const std::optional<T>& value) {
  if (value) check(option, *value);
}

template <class T>
void set(const DeclaredOption& option, const std::string& text, T& field) {
  T value = {};
  if (!parse(text, value)) {
    throw Error(fmt::format("{} is '{}'; it must be {}{}.", option.name, text, kind_of_value<T>(),
                            or_auto(option)));
  }
  check(option, value);
  field = std::move(value);
}
/// "auto" is what holds where the user says nothing.
template <class T>
void set(const DeclaredOption& option, const std::string& text, std::optional<T>& field) {
  if (text == "auto") return field.reset();
  T value = {};
  set(option, text, value);
  field = std::move(value);
}

}  // namespace

void set_option(TrainOptions& options, std::string_view name, const std::string& text) {
  std::string dashed(name);
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  std::vector<std::string> names;
  bool found = false;
  visit_options(options, [&](const DeclaredOption& option, auto& field) {
    names.emplace_back(option.name);
    if (dashed != option.name) return;
    found = true;
    set(option, text, field);
  });
  if (!found)
    throw Error(fmt::format("there is no option '{}'.{}", name, did_you_mean(dashed, names)));
}

void check_value(const DeclaredOption& option, double number) {
  if (option.range.contains(number)) return;
  throw Error(fmt::format("{} is {}, but must be {}{}.", option.name, number,
                          range_text(option.range), or_auto(option)));
}

void check_value(const DeclaredOption& option, const std::string& word) {
  if (!option.choices.empty())
    check_choice(option.name, option.choices, value_today(option.name, word), option.knows_auto);
}

void check_values(const TrainOptions& options) {
  visit_options(options,
                [](const DeclaredOption& option, const auto& field) { check(option, field); });
}

}  // namespace softwood
