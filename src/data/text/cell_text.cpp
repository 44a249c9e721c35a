#include "data/text/cell_text.h"

#include <algorithm>
#include <limits>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

namespace softwood {
namespace {

bool is_blank(char letter) {
  return letter == ' ' || letter == '\t';
}

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

bool equals_ignoring_case(std::string_view text, std::string_view lower_text) {
  return std::equal(text.begin(), text.end(), lower_text.begin(), lower_text.end(),
                    [](char a, char b) { return lower(a) == b; });
}

std::optional<double> parse_number(std::string_view text) {
  const bool signed_text = !text.empty() && (text[0] == '+' || text[0] == '-');
  const std::string_view digits = text.substr(signed_text ? 1 : 0);
  if (digits.empty()) return std::nullopt;
  const double sign = signed_text && text[0] == '-' ? -1 : 1;
  if (equals_ignoring_case(digits, "inf") || equals_ignoring_case(digits, "infinity")) {
    return sign * std::numeric_limits<double>::infinity();
  }
  if (!is_digit(digits[0]) && digits[0] != '.') return std::nullopt;
  double value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, status] = fast_float::from_chars(digits.data(), end, value);
  if (stop != end || status == std::errc::invalid_argument) return std::nullopt;
  return sign * value;
}

std::optional<double> parse_number_or_truth(std::string_view text) {
  if (equals_ignoring_case(text, "true")) return 1.0;
  if (equals_ignoring_case(text, "false")) return 0.0;
  return parse_number(text);
}

std::string number_text(double value) {
  return fmt::format("{}", value);
}

}  // namespace softwood
