#include "data/text/plain_number.h"

#include <cmath>
#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace softwood {
namespace {

/// The number at the front of `text` and how many bytes it took; −1 if it is left to another
/// parser.
std::pair<double, std::ptrdiff_t> read(const std::string& text) {
  const std::string padded = text + std::string(kNumberPadding, '\0');
  double value = -99;
  const char* end = read_plain_number(padded.data(), value);
  return {value, end == nullptr ? -1 : end - padded.data()};
}

TEST(PlainNumber, common_numbers_are_read_up_to_what_follows) {
  EXPECT_EQ(read("7,8"), std::pair(7.0, std::ptrdiff_t{1}));
  EXPECT_EQ(read("-12.5\n"), std::pair(-12.5, std::ptrdiff_t{5}));
  EXPECT_EQ(read("12345678;"), std::pair(12345678.0, std::ptrdiff_t{8}));
  EXPECT_EQ(read("0.12345678;"), std::pair(0.12345678, std::ptrdiff_t{10}));
  EXPECT_EQ(read("3.x"), std::pair(3.0, std::ptrdiff_t{2}));
  EXPECT_EQ(read("9007199254740992"), std::pair(9007199254740992.0, std::ptrdiff_t{16}));
}

TEST(PlainNumber, minus_zero_keeps_its_sign) {
  EXPECT_TRUE(std::signbit(read("-0").first));
}

TEST(PlainNumber, everything_else_is_left_to_a_full_parser) {
  for (const char* text : {"", "-", ".5", "+1", "abc", "1e5", "1.5E-3", "9007199254740993",
                           "12345678901234567890", "0.12345678901234567890", "nan", "\"1\""}) {
    EXPECT_EQ(read(text).second, -1) << text;
  }
}

RC_GTEST_PROP(PlainNumber, a_decimal_text_gives_what_strtod_gives, ()) {
  const auto mantissa =
      *rc::gen::inRange<std::int64_t>(-1'000'000'000'000'000, 1'000'000'000'000'000);
  const auto shrink = *rc::gen::inRange(0, 15);
  const auto decimals = *rc::gen::inRange(0, 12);
  const double number = static_cast<double>(mantissa) / std::pow(10, shrink);
  const std::string text = fmt::format("{:.{}f}", number, decimals);
  const auto [value, length] = read(text);
  if (length >= 0) {
    RC_ASSERT(length == static_cast<std::ptrdiff_t>(text.size()));
    RC_ASSERT(value == std::strtod(text.c_str(), nullptr));
  } else {
    RC_ASSERT(text.size() > 15u);
  }
}

}  // namespace
}  // namespace softwood
