#include "data/text/cell_text.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace softwood {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(CellText, numbers_are_read_whole_and_rounded_correctly) {
  EXPECT_EQ(parse_number("12"), 12.0);
  EXPECT_EQ(parse_number("+7"), 7.0);
  EXPECT_EQ(parse_number("-.5"), -0.5);
  EXPECT_EQ(parse_number("3."), 3.0);
  EXPECT_EQ(parse_number("1e-3"), 1e-3);
  EXPECT_EQ(parse_number("9007199254740993"), 9007199254740992.0);
  EXPECT_EQ(parse_number("0.1000000000000000055511151231257827"), 0.1);
  EXPECT_EQ(parse_number("5e-324"), 5e-324);
  EXPECT_TRUE(std::signbit(*parse_number("-0")));
}

TEST(CellText, what_is_not_quite_a_number_is_none) {
  for (const char* text : {"", "-", "+", ".", "1,5", "1 2", "0x10", "1e", "e5", "12a", "--1", "+-1",
                           "nan", "-nan", "1_000", "infinite"}) {
    EXPECT_FALSE(parse_number(text).has_value()) << text;
  }
}

TEST(CellText, infinities_and_overflow_are_infinite) {
  EXPECT_EQ(parse_number("inf"), kInfinity);
  EXPECT_EQ(parse_number("-Infinity"), -kInfinity);
  EXPECT_EQ(parse_number("1e999"), kInfinity);
  EXPECT_EQ(parse_number("-1e999"), -kInfinity);
}

TEST(CellText, numbers_print_in_their_shortest_form) {
  EXPECT_EQ(number_text(1.0), "1");
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-2.5), "-2.5");
}

RC_GTEST_PROP(CellText, a_printed_number_reads_back_as_the_same_number, (double value)) {
  RC_PRE(!std::isnan(value));
  RC_ASSERT(parse_number(number_text(value)) == value);
}

TEST(CellText, utf8_stays_and_latin1_becomes_utf8) {
  EXPECT_EQ(as_utf8("Größe €  𝄞"), "Größe €  𝄞");
  EXPECT_EQ(as_utf8("Gr\xF6\xDF"
                    "e"),
            "Größe");
  EXPECT_EQ(as_utf8("\xC0\xAF"), "À¯");                     // overlong
  EXPECT_EQ(as_utf8("\xED\xA0\x80"), "í\xC2\xA0\xC2\x80");  // a surrogate
  EXPECT_EQ(as_utf8("\xE2\x82"), "â\xC2\x82");              // cut off
}

TEST(CellText, trimming_takes_blanks_at_the_ends_only) {
  EXPECT_EQ(trimmed(" \t a b \t"), "a b");
  EXPECT_EQ(trimmed("   "), "");
}

}  // namespace
}  // namespace softwood
