#include "data/arff/date.h"

#include <gtest/gtest.h>

#include "data/text/date_text.h"

namespace softwood {
namespace {

std::string read(std::string_view pattern, std::string_view text) {
  const auto format = ArffDateFormat::from_pattern(pattern);
  if (!format) return "no format";
  const std::optional<double> seconds = format->parse(text);
  return seconds ? date_text(*seconds) : "no date";
}

TEST(ArffDate, patterns_of_numbers_and_literals_are_followed) {
  EXPECT_EQ(read("yyyy-MM-dd'T'HH:mm:ss", "2016-07-02T10:30:05"), "2016-07-02T10:30:05");
  EXPECT_EQ(read("yyyyMMdd", "20160702"), "2016-07-02");
  EXPECT_EQ(read("d.M.yyyy", "2.7.2016"), "2016-07-02");
  EXPECT_EQ(read("HH:mm:ss.SSS", "10:30:05.250"), "1970-01-01T10:30:05.25");
  EXPECT_EQ(read("dd 'o''clock' HH", "02 o'clock 05"), "1970-01-02T05:00:00");
  EXPECT_EQ(read("MM/yy", "07/16"), "2016-07-01");
  EXPECT_EQ(read("MM/yy", "07/96"), "1996-07-01");
}

TEST(ArffDate, texts_that_do_not_follow_are_no_dates) {
  EXPECT_EQ(read("yyyy-MM-dd", "2016-07"), "no date");
  EXPECT_EQ(read("yyyy-MM-dd", "2016-07-32"), "no date");
  EXPECT_EQ(read("yyyy-MM-dd", "2016-07-02x"), "no date");
  EXPECT_EQ(read("yyyyMMdd", "201672"), "no date");
  EXPECT_EQ(read("HH:mm", "24:00"), "no date");
}

TEST(ArffDate, names_zones_and_repeated_letters_are_refused) {
  for (const char* pattern : {"EEE", "MMM d", "HH:mm z", "dd-MM-dd", "hh:mm a"}) {
    EXPECT_EQ(read(pattern, "1"), "no format") << pattern;
  }
}

TEST(ArffDate, the_order_is_that_of_the_pattern) {
  EXPECT_EQ(ArffDateFormat::from_pattern("dd/MM/yyyy")->date_order(), "dmy");
  EXPECT_EQ(ArffDateFormat::from_pattern("MM-dd-yyyy")->date_order(), "mdy");
  EXPECT_EQ(ArffDateFormat::from_pattern("HH:mm")->date_order(), "ymd");
}

}  // namespace
}  // namespace softwood
