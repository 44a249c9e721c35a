#include "data/text/written_number.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/text/cell_text.h"

namespace softwood {
namespace {

constexpr NumberStyle kPoint{.decimal = '.'}, kComma{.decimal = ','};

double value_of(std::string_view text, const NumberStyle& style) {
  const auto number = read_written_number(text, style);
  return number ? number->value : std::nan("");
}

TEST(WrittenNumber, both_decimal_signs_are_read_with_and_without_thousands) {
  EXPECT_EQ(value_of("1,234,567.89", kPoint), 1234567.89);
  EXPECT_EQ(value_of("1.234.567,89", kComma), 1234567.89);
  EXPECT_EQ(value_of("1'234.5", kPoint), 1234.5);
  EXPECT_EQ(value_of("1’234.5", kPoint), 1234.5);
  EXPECT_EQ(value_of("1 234,5", kComma), 1234.5);
  EXPECT_EQ(value_of("1\u00a0234,5", kComma), 1234.5);
  EXPECT_EQ(value_of("1\u202f234,5", kComma), 1234.5);
  EXPECT_EQ(value_of("1_234", kPoint), 1234);
  EXPECT_EQ(value_of("-0,5e-3", kComma), -0.0005);
  EXPECT_EQ(value_of(",5", kComma), 0.5);
  EXPECT_EQ(value_of("inf", kComma), HUGE_VAL);
}

TEST(WrittenNumber, the_same_text_is_two_numbers) {
  EXPECT_EQ(value_of("1,234", kPoint), 1234);
  EXPECT_EQ(value_of("1,234", kComma), 1.234);
  EXPECT_EQ(value_of("1.234", kPoint), 1.234);
  EXPECT_EQ(value_of("1.234", kComma), 1234);
}

TEST(WrittenNumber, money_percent_parentheses_spaces_and_apostrophes_are_read) {
  EXPECT_EQ(value_of("$1,234.50", kPoint), 1234.5);
  EXPECT_EQ(value_of("-$5", kPoint), -5);
  EXPECT_EQ(value_of("$-5", kPoint), -5);
  EXPECT_EQ(value_of("1.234,50 €", kComma), 1234.5);
  EXPECT_EQ(value_of("CHF 1'234.50", kPoint), 1234.5);
  EXPECT_EQ(value_of("12 USD", kPoint), 12);
  EXPECT_EQ(value_of("£3", kPoint), 3);
  EXPECT_EQ(value_of("12%", kPoint), 12);
  EXPECT_EQ(value_of("12,5 %", kComma), 12.5);
  EXPECT_EQ(value_of("(1,234.50)", kPoint), -1234.5);
  EXPECT_EQ(value_of("($12)", kPoint), -12);
  EXPECT_EQ(value_of("'0042", kPoint), 42);
  EXPECT_EQ(value_of("\u00a07\u00a0", kPoint), 7);
  EXPECT_EQ(value_of("\u22127", kPoint), -7);  // the minus of typography
  EXPECT_TRUE(read_written_number("12 %", kPoint)->has_percent);
  EXPECT_EQ(read_written_number("12 EUR", kPoint)->currency, "EUR");
  EXPECT_EQ(read_written_number("1,234", kPoint)->thousands, ',');
}

TEST(WrittenNumber, what_is_no_number_is_none) {
  for (const char* text :
       {"",       "abc",      "1e",         "10-20",     "3+",   "V45",      "1,23,456",  "12,34",
        "1,2345", "1234,567", "0,123",      "1.2.3",     "1 23", "12 345 6", "%",         "$",
        "()",     "(-5)",     "--5",        "-(5)",      "5%%",  "$5 €",     "1,234'567", "EURO5",
        "0x1F",   "12:30",    "2016-07-02", "1,234.5.6", "'"}) {
    EXPECT_FALSE(read_written_number(text, kPoint)) << text;
  }
}

TEST(WrittenNumber, only_given_thousands_separate) {
  const NumberStyle spaces{.decimal = ',', .thousands = ' '};
  EXPECT_EQ(value_of("1 234,5", spaces), 1234.5);
  EXPECT_TRUE(std::isnan(value_of("1.234,5", spaces)));
}

/// `text` with a separator before every third digit from the right.
std::string grouped(std::string text, char separator) {
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) {
    text.insert(static_cast<std::size_t>(at), 1, separator);
  }
  return text;
}

RC_GTEST_PROP(WrittenNumber, whatever_the_separators_it_is_what_programs_write, ()) {
  const auto whole = *rc::gen::inRange<std::uint64_t>(0, 1000000000000);
  const auto decimals = *rc::gen::inRange(0, 10000);
  const bool negative = *rc::gen::arbitrary<bool>();
  const char thousands = *rc::gen::element(',', '\'', ' ', '_');
  const std::string sign = negative ? "-" : "", digits = std::to_string(whole);
  const double expected = *parse_number(fmt::format("{}{}.{:04}", sign, digits, decimals));
  const std::string by_point =
      fmt::format("{}{}.{:04}", sign, grouped(digits, thousands), decimals);
  RC_ASSERT(value_of(by_point, kPoint) == expected);
  const char other = thousands == ',' ? '.' : thousands;
  const std::string by_comma = fmt::format("{}{},{:04}", sign, grouped(digits, other), decimals);
  RC_ASSERT(value_of(by_comma, kComma) == expected);
}

}  // namespace
}  // namespace softwood
