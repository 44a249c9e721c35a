#include "data/text/written_number.h"

#include <algorithm>
#include <array>
#include <string>

#include "data/text/cell_text.h"

namespace softwood {
namespace {

struct Spelling {
  std::string_view text;
  char meaning;
};

/// Blanks, the spaces that do not break, and the narrow ones that typography puts into numbers.
constexpr std::array<std::string_view, 6> kSpaces = {
    " ", "\t", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x87"};

constexpr std::array<Spelling, 8> kThousands = {{{",", ','},
                                                 {".", '.'},
                                                 {"'", '\''},
                                                 {"\xE2\x80\x99", '\''},
                                                 {"_", '_'},
                                                 {" ", ' '},
                                                 {"\xC2\xA0", ' '},
                                                 {"\xE2\x80\xAF", ' '}}};

constexpr std::array<std::string_view, 3> kMinus = {"-", "\xE2\x88\x92", "\xE2\x80\x93"};

constexpr std::array<std::string_view, 33> kCurrencies = {"US$",
                                                          "R$",
                                                          "$",
                                                          "\xE2\x82\xAC" /*€*/,
                                                          "\xC2\xA3" /*£*/,
                                                          "\xC2\xA5" /*¥*/,
                                                          "\xE2\x82\xB9" /*₹*/,
                                                          "\xE2\x82\xA9" /*₩*/,
                                                          "\xE2\x82\xBD" /*₽*/,
                                                          "\xE2\x82\xBA" /*₺*/,
                                                          "USD",
                                                          "EUR",
                                                          "GBP",
                                                          "JPY",
                                                          "CHF",
                                                          "CNY",
                                                          "INR",
                                                          "AUD",
                                                          "CAD",
                                                          "NZD",
                                                          "SEK",
                                                          "NOK",
                                                          "DKK",
                                                          "PLN",
                                                          "CZK",
                                                          "HUF",
                                                          "BRL",
                                                          "MXN",
                                                          "RUB",
                                                          "KRW",
                                                          "ZAR",
                                                          "kr",
                                                          "z\xC5\x82"};

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

bool take_front(std::string_view& text, std::string_view part) {
  if (!text.starts_with(part)) return false;
  text.remove_prefix(part.size());
  return true;
}

bool take_back(std::string_view& text, std::string_view part) {
  if (!text.ends_with(part)) return false;
  text.remove_suffix(part.size());
  return true;
}

void take_spaces(std::string_view& text) {
  const auto take = [&](auto step) {
    while (std::any_of(kSpaces.begin(), kSpaces.end(),
                       [&](std::string_view space) { return step(text, space); })) {
    }
  };
  take(take_front);
  take(take_back);
}

bool take_minus(std::string_view& text) {
  return std::any_of(kMinus.begin(), kMinus.end(),
                     [&](std::string_view minus) { return take_front(text, minus); });
}

/// A currency at one end; letters must not run on into others.
std::string_view take_currency(std::string_view& text) {
  for (const std::string_view currency : kCurrencies) {
    if (take_front(text, currency) || take_back(text, currency)) return currency;
  }
  return {};
}

/// Reads digits from left to right into a text with a decimal point and without groups.
class DigitReader {
 public:
  DigitReader(std::string_view text, const NumberStyle& style) : left_(text), style_(style) {}

  std::optional<WrittenNumber> read() {
    if (take_minus(left_)) {
      plain_ += '-';
    } else {
      take_front(left_, "+");
    }
    const std::size_t whole_digits = read_whole();
    const std::size_t decimals = read_decimals();
    if (whole_digits + decimals == 0 || !read_exponent() || !left_.empty()) return std::nullopt;
    const std::optional<double> value = parse_number(plain_);
    if (!value) return std::nullopt;
    return WrittenNumber{.value = *value, .thousands = thousands_};
  }

 private:
  std::size_t take_digits() {
    std::size_t count = 0;
    while (count < left_.size() && is_digit(left_[count])) ++count;
    plain_ += left_.substr(0, count);
    left_.remove_prefix(count);
    return count;
  }

  /// 1 to 3 digits, no leading zero, then groups of three, all separated alike; or digits alone.
  std::size_t read_whole() {
    const bool leading_zero = left_.starts_with('0');
    std::size_t count = take_digits();
    if (count == 0 || count > 3 || leading_zero) return count;
    for (const Spelling& spelling : kThousands) {
      if (!may_separate(spelling.meaning) || !group_follows(spelling.text)) continue;
      thousands_ = spelling.meaning;
      while (group_follows(spelling.text)) {
        left_.remove_prefix(spelling.text.size());
        count += take_digits();
      }
      break;
    }
    return count;
  }

  bool may_separate(char meaning) const {
    return meaning != style_.decimal && (style_.thousands == '\0' || style_.thousands == meaning);
  }

  /// The separator and exactly three digits.
  bool group_follows(std::string_view separator) const {
    if (!left_.starts_with(separator)) return false;
    const std::string_view digits = left_.substr(separator.size());
    return digits.size() >= 3 && is_digit(digits[0]) && is_digit(digits[1]) &&
           is_digit(digits[2]) && (digits.size() == 3 || !is_digit(digits[3]));
  }

  std::size_t read_decimals() {
    if (!left_.starts_with(style_.decimal)) return 0;
    left_.remove_prefix(1);
    plain_ += '.';
    return take_digits();
  }

  bool read_exponent() {
    if (left_.empty() || (left_[0] != 'e' && left_[0] != 'E')) return true;
    plain_ += 'e';
    left_.remove_prefix(1);
    if (left_.starts_with('-') || left_.starts_with('+')) {
      plain_ += left_[0];
      left_.remove_prefix(1);
    }
    return take_digits() > 0;
  }

  std::string_view left_;
  const NumberStyle& style_;
  std::string plain_;
  char thousands_ = '\0';
};

}  // namespace

std::optional<WrittenNumber> read_digits(std::string_view text, const NumberStyle& style) {
  if (has_digit(text)) return DigitReader(text, style).read();
  const std::optional<double> infinite = parse_number(text);
  if (!infinite) return std::nullopt;
  return WrittenNumber{.value = *infinite};
}

std::optional<WrittenNumber> read_written_number(std::string_view text, const NumberStyle& style) {
  take_spaces(text);
  if (const auto plain = read_digits(text, style)) return plain;
  if (!has_digit(text)) return std::nullopt;
  take_front(text, "'");
  const bool in_parentheses = text.starts_with('(') && text.ends_with(')');
  if (in_parentheses) text = text.substr(1, text.size() - 2);
  take_spaces(text);
  const bool has_percent = take_back(text, "%");
  take_spaces(text);
  const bool minus_first = !in_parentheses && take_minus(text);
  take_spaces(text);
  const std::string_view currency = has_percent ? std::string_view() : take_currency(text);
  take_spaces(text);
  if ((in_parentheses || minus_first) && !text.empty() && !is_digit(text[0]) &&
      text[0] != style.decimal) {
    return std::nullopt;
  }
  std::optional<WrittenNumber> number = read_digits(text, style);
  if (!number) return std::nullopt;
  if (in_parentheses || minus_first) number->value = -number->value;
  number->has_percent = has_percent;
  number->currency = currency;
  return number;
}

bool has_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_digit);
}

}  // namespace softwood
