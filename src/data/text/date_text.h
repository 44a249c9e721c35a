#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace softwood {

/// Seconds since 1970-01-01 00:00 UTC of a date such as "2016-07-02", "2016/7/2 13:05",
/// "02.07.2016", "7/2/2016 13:05:00.5" or "2016-07-02T13:05:00+02:00". `order` is "ymd", "dmy" or
/// "mdy"; the parts are separated by one of - / . and the year has four digits, so that neither
/// centuries nor version numbers are guessed at. A time without a zone is taken as UTC.
std::optional<double> parse_date(std::string_view text, std::string_view order);

/// The order in which every text is a date, or "" if there is none. Texts that are dates both as
/// "dmy" and as "mdy" are "dmy" when written with dots (10.03.2004), otherwise "mdy".
std::string find_date_order(std::span<const std::string> texts);

/// Seconds since 1970-01-01 00:00 UTC of a moment. The date must exist.
double seconds_since_1970(int year, unsigned month, unsigned day, double second_of_day);
/// Whether that day is in the calendar; years 1 … 9999.
bool is_calendar_day(int year, unsigned month, unsigned day);

/// "2016-07-02", or "2016-07-02T13:05:00[.25]" if it is not midnight. Years outside 1 … 9999, which
/// no date we read has, print as the number of seconds.
std::string date_text(double seconds);

}  // namespace softwood
