#pragma once

#include <optional>
#include <string_view>

namespace softwood {

/// How the numbers of a table are written.
struct NumberStyle {
  char decimal = '.';  // or ','
  /// Between groups of three digits: ',', '.', '\'', ' ' or '_'; '\0' = any that is not `decimal`.
  char thousands = '\0';
  /// False: nothing tells whether 1,234 is a thousand or a little more than one, so a cell that the
  /// other decimal sign would make another number is none.
  bool is_settled = true;
};

/// A number and what stood beside its digits.
struct WrittenNumber {
  double value = 0;
  bool has_percent = false;
  char thousands = '\0';           // between its groups of digits, if there are several
  std::string_view currency = {};  // "$", "EUR", …: a part of the text
};

/// Digits in groups or not, with sign and exponent or without: -1234.5, 1,234.5 or 1.234,5e3.
std::optional<WrittenNumber> read_digits(std::string_view text, const NumberStyle& style);

/// A number as people and spreadsheets write it: read_digits, and around them spaces (also those
/// that do not break), one currency or percent sign (12 % is 12), parentheses for negative
/// amounts, the apostrophe by which a spreadsheet marks texts.
std::optional<WrittenNumber> read_written_number(std::string_view text, const NumberStyle& style);

/// Whether there is a digit in it.
bool has_digit(std::string_view text);

}  // namespace softwood
