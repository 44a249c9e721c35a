#include "data/cell_text.h"

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

/// How many bytes the UTF-8 character at the front of `text` takes; 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t index) {
    return index < text.size() ? static_cast<unsigned char>(text[index]) : 0u;
  };
  const unsigned lead = byte(0), second = byte(1);
  const auto continues = [&](std::size_t index) { return (byte(index) & 0xC0u) == 0x80u; };
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool overlong = lead == 0xE0 && second < 0xA0;
    const bool surrogate = lead == 0xED && second > 0x9F;
    return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool out_of_range = (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
    return continues(1) && continues(2) && continues(3) && !out_of_range ? 4 : 0;
  }
  return 0;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
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

std::string as_utf8(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  std::string result;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (code < 0x80) {
      result += letter;
    } else {
      result += static_cast<char>(0xC0 | (code >> 6));
      result += static_cast<char>(0x80 | (code & 0x3F));
    }
  }
  return result;
}

}  // namespace softwood
