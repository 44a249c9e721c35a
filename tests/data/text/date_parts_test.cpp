#include "data/text/date_parts.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "data/text/date_text.h"

namespace softwood {
namespace {

TEST(DateParts, a_moment_has_its_calendar_and_clock) {
  const double moment = *parse_date("2016-07-02T13:05:30", "ymd");  // a Saturday
  EXPECT_EQ(date_part(DatePart::year, moment), 2016);
  EXPECT_EQ(date_part(DatePart::month, moment), 7);
  EXPECT_EQ(date_part(DatePart::day, moment), 2);
  EXPECT_EQ(date_part(DatePart::weekday, moment), 6);
  EXPECT_EQ(date_part(DatePart::hour, moment), 13);
  EXPECT_EQ(date_part(DatePart::minute, moment), 5);
  EXPECT_EQ(date_part(DatePart::time, 1.5 * 86400), 1.5);
  EXPECT_EQ(date_part(DatePart::none, 42), 42);
}

TEST(DateParts, moments_before_1970_count_forward_too) {
  const double moment = *parse_date("1969-12-31T23:59:00", "ymd");
  EXPECT_EQ(date_part(DatePart::year, moment), 1969);
  EXPECT_EQ(date_part(DatePart::hour, moment), 23);
  EXPECT_EQ(date_part(DatePart::minute, moment), 59);
  EXPECT_EQ(date_part(DatePart::weekday, moment), 3);
}

TEST(DateParts, missing_and_absurd_moments_do_no_harm) {
  EXPECT_TRUE(std::isnan(date_part(DatePart::month, std::nan(""))));
  EXPECT_TRUE(std::isinf(date_part(DatePart::day, std::numeric_limits<double>::infinity())));
  EXPECT_TRUE(std::isfinite(date_part(DatePart::year, 1e300)));
}

TEST(DateParts, names_are_found_again) {
  for (const DatePart part : {DatePart::none, DatePart::time, DatePart::year, DatePart::minute}) {
    EXPECT_EQ(find_date_part(date_part_name(part)), part);
  }
  EXPECT_FALSE(find_date_part("century").has_value());
}

}  // namespace
}  // namespace softwood
