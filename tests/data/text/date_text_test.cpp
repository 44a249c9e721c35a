#include "data/text/date_text.h"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace softwood {
namespace {

constexpr double kDay = 86400;

std::string order_of(const std::vector<std::string>& texts) {
  return find_date_order(texts);
}

TEST(DateText, dates_are_seconds_since_1970) {
  EXPECT_EQ(parse_date("1970-01-01", "ymd"), 0.0);
  EXPECT_EQ(parse_date("1970/1/3", "ymd"), 2 * kDay);
  EXPECT_EQ(parse_date("1969.12.31", "ymd"), -kDay);
  EXPECT_EQ(parse_date("02.01.1970", "dmy"), kDay);
  EXPECT_EQ(parse_date("1/2/1970", "mdy"), kDay);
  EXPECT_EQ(parse_date("2000-02-29", "ymd"), 951782400.0);
}

TEST(DateText, times_and_zones_are_read) {
  EXPECT_EQ(parse_date("1970-01-01 00:01", "ymd"), 60.0);
  EXPECT_EQ(parse_date("1970-01-01T1:02:03.25", "ymd"), 3723.25);
  EXPECT_EQ(parse_date("1970-01-01T12:00:00Z", "ymd"), 43200.0);
  EXPECT_EQ(parse_date("1970-01-01T12:00:00+02:00", "ymd"), 36000.0);
  EXPECT_EQ(parse_date("1970-01-01 12:00:00 -0130", "ymd"), 48600.0);
  EXPECT_EQ(parse_date("1970-01-01 12:00+02", "ymd"), 36000.0);
}

TEST(DateText, what_is_not_in_the_calendar_is_no_date) {
  for (const char* text : {"2001-02-29",
                           "2001-13-01",
                           "2001-00-10",
                           "2001-04-31",
                           "01-02-03",
                           "20010203",
                           "2001-02",
                           "2001-02/03",
                           "2001-02-03x",
                           "2001-02-03T",
                           "2001-02-03 24:00",
                           "2001-02-03 10:60",
                           "2001-02-03 10",
                           "2001-02-03 10:00:",
                           "2001-02-03 10:00:00.",
                           "2001-02-03 10:00 ",
                           "0000-01-01",
                           "12001-01-01",
                           "2001-02-03 10:00+",
                           "2001-02-03 10:00+2",
                           "2001-02-03 10:00+99:00",
                           ""}) {
    EXPECT_FALSE(parse_date(text, "ymd").has_value()) << text;
  }
}

TEST(DateText, the_order_is_the_one_in_which_all_are_dates) {
  EXPECT_EQ(order_of({"2004-03-10", "2004-12-31 10:00"}), "ymd");
  EXPECT_EQ(order_of({"10/03/2004", "13/03/2004"}), "dmy");
  EXPECT_EQ(order_of({"10/03/2004", "10/13/2004"}), "mdy");
  EXPECT_EQ(order_of({"10/13/2004", "13/10/2004"}), "");
  EXPECT_EQ(order_of({"2004-03-10", "soon"}), "");
  EXPECT_EQ(order_of({}), "");
}

TEST(DateText, dates_that_could_be_either_are_day_first_with_dots_only) {
  EXPECT_EQ(order_of({"10.03.2004", "01.02.2003"}), "dmy");
  EXPECT_EQ(order_of({"10/03/2004", "01/02/2003"}), "mdy");
  EXPECT_EQ(order_of({"10-03-2004 10:00:00.5"}), "mdy");
}

TEST(DateText, dates_print_as_iso) {
  EXPECT_EQ(date_text(0), "1970-01-01");
  EXPECT_EQ(date_text(951782400.0 + 3723.25), "2000-02-29T01:02:03.25");
  EXPECT_EQ(date_text(-1), "1969-12-31T23:59:59");
  EXPECT_EQ(date_text(1e300), "1e+300");
}

RC_GTEST_PROP(DateText, a_printed_moment_reads_back_as_the_same_moment, ()) {
  const double seconds =
      static_cast<double>(*rc::gen::inRange<std::int64_t>(-62135596800, 253402300800));
  RC_ASSERT(parse_date(date_text(seconds), "ymd") == seconds);
}

}  // namespace
}  // namespace softwood
