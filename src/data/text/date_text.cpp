#include "data/text/date_text.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "data/text/cell_text.h"

namespace softwood {
namespace {

constexpr double kSecondsPerDay = 86400;

/// Reads a text from left to right; every step says whether what it wanted was there.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : left_(text) {}

  bool at_end() const { return left_.empty(); }
  char peek() const { return left_.empty() ? '\0' : left_.front(); }
  bool skip(char letter) {
    if (peek() != letter || left_.empty()) return false;
    left_.remove_prefix(1);
    return true;
  }
  /// A whole number of `least` to `most` digits, then no further digit.
  std::optional<int> digits(int least, int most) {
    int value = 0, count = 0;
    while (peek() >= '0' && peek() <= '9') {
      if (++count > most) return std::nullopt;
      value = value * 10 + (peek() - '0');
      left_.remove_prefix(1);
    }
    if (count < least) return std::nullopt;
    return value;
  }

 private:
  std::string_view left_;
};

bool is_separator(char letter) {
  return letter == '-' || letter == '/' || letter == '.';
}

/// Days since 1970 of the three parts at the front, separated alike, in the given order.
std::optional<double> read_day(TextCursor& cursor, std::string_view order) {
  int year = 0, month = 0, day = 0;
  char separator = '\0';
  for (std::size_t part = 0; part < 3; ++part) {
    if (part == 1) separator = cursor.peek();
    if (part > 0 && !(is_separator(separator) && cursor.skip(separator))) return std::nullopt;
    const bool is_year = order[part] == 'y';
    const std::optional<int> value = is_year ? cursor.digits(4, 4) : cursor.digits(1, 2);
    if (!value) return std::nullopt;
    (is_year ? year : order[part] == 'm' ? month : day) = *value;
  }
  if (!is_calendar_day(year, static_cast<unsigned>(month), static_cast<unsigned>(day))) {
    return std::nullopt;
  }
  return seconds_since_1970(year, static_cast<unsigned>(month), static_cast<unsigned>(day), 0);
}

/// ".25" at the front, or nothing: 0.25 or 0.
std::optional<double> read_fraction(TextCursor& cursor) {
  if (!cursor.skip('.')) return 0.0;
  double fraction = 0, unit = 1;
  const auto is_digit = [&] { return cursor.peek() >= '0' && cursor.peek() <= '9'; };
  if (!is_digit()) return std::nullopt;
  while (is_digit()) {
    fraction = fraction * 10 + (cursor.peek() - '0');
    unit *= 10;
    cursor.skip(cursor.peek());
  }
  return std::isfinite(unit) ? std::optional(fraction / unit) : std::nullopt;
}

/// HH:MM[:SS[.fff]] in seconds. A leap second is the first second of the next minute.
std::optional<double> read_time(TextCursor& cursor) {
  const std::optional<int> hour = cursor.digits(1, 2);
  if (!hour || *hour > 23 || !cursor.skip(':')) return std::nullopt;
  const std::optional<int> minute = cursor.digits(2, 2);
  if (!minute || *minute > 59) return std::nullopt;
  const double whole_minutes = *hour * 3600.0 + *minute * 60.0;
  if (!cursor.skip(':')) return whole_minutes;
  const std::optional<int> second = cursor.digits(2, 2);
  if (!second || *second > 60) return std::nullopt;
  const std::optional<double> fraction = read_fraction(cursor);
  if (!fraction) return std::nullopt;
  return whole_minutes + *second + *fraction;
}

/// Z, ±hh:mm, ±hhmm or ±hh in seconds; nothing is UTC.
std::optional<double> read_zone(TextCursor& cursor) {
  if (cursor.at_end() || cursor.skip('Z')) return 0.0;
  const double sign = cursor.peek() == '-' ? -1 : 1;
  if (!cursor.skip('+') && !cursor.skip('-')) return std::nullopt;
  const std::optional<int> number = cursor.digits(2, 4);
  if (!number) return std::nullopt;
  int hours = *number, minutes = 0;
  if (cursor.skip(':')) {
    const std::optional<int> rest = cursor.digits(2, 2);
    if (!rest) return std::nullopt;
    minutes = *rest;
  } else if (*number > 99) {
    hours = *number / 100;
    minutes = *number % 100;
  }
  if (hours > 18 || minutes > 59) return std::nullopt;
  return sign * (hours * 3600.0 + minutes * 60.0);
}

}  // namespace

bool is_calendar_day(int year, unsigned month, unsigned day) {
  using namespace std::chrono;
  return year >= 1 && year <= 9999 &&
         year_month_day(std::chrono::year(year), std::chrono::month(month), std::chrono::day(day))
             .ok();
}

double seconds_since_1970(int year, unsigned month, unsigned day, double second_of_day) {
  using namespace std::chrono;
  const sys_days date =
      year_month_day(std::chrono::year(year), std::chrono::month(month), std::chrono::day(day));
  return static_cast<double>(date.time_since_epoch().count()) * kSecondsPerDay + second_of_day;
}

std::optional<double> parse_date(std::string_view text, std::string_view order) {
  TextCursor cursor(text);
  const std::optional<double> day = read_day(cursor, order);
  if (!day || cursor.at_end()) return day;
  if (!cursor.skip('T') && !cursor.skip(' ')) return std::nullopt;
  const std::optional<double> time = read_time(cursor);
  if (!time) return std::nullopt;
  if (cursor.skip(' ') && cursor.at_end()) return std::nullopt;
  const std::optional<double> zone = read_zone(cursor);
  if (!zone || !cursor.at_end()) return std::nullopt;
  return *day + *time - *zone;
}

std::string find_date_order(std::span<const std::string> texts) {
  if (texts.empty()) return "";
  const auto all_are = [&](std::string_view order) {
    return std::all_of(texts.begin(), texts.end(), [&](const std::string& text) {
      return parse_date(trimmed(text), order).has_value();
    });
  };
  if (all_are("ymd")) return "ymd";
  const bool day_first = all_are("dmy"), month_first = all_are("mdy");
  if (day_first && month_first) {
    const std::string& first = texts.front();
    return first[first.find_first_not_of("0123456789 \t")] == '.' ? "dmy" : "mdy";
  }
  return day_first ? "dmy" : month_first ? "mdy" : "";
}

std::string date_text(double seconds) {
  using namespace std::chrono;
  const double whole_days = std::floor(seconds / kSecondsPerDay);
  if (!(std::abs(whole_days) < 3e6)) return number_text(seconds);
  const year_month_day date{sys_days(days(static_cast<int>(whole_days)))};
  const int year = static_cast<int>(date.year());
  if (year < 1 || year > 9999) return number_text(seconds);
  std::string text = fmt::format("{:04}-{:02}-{:02}", year, static_cast<unsigned>(date.month()),
                                 static_cast<unsigned>(date.day()));
  // Microseconds are what a double still tells apart in this century.
  const auto micros =
      static_cast<std::int64_t>(std::round((seconds - whole_days * kSecondsPerDay) * 1e6));
  if (micros == 0) return text;
  const std::int64_t whole = micros / 1000000;
  text += fmt::format("T{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  if (micros % 1000000 == 0) return text;
  text += fmt::format(".{:06}", micros % 1000000);
  return text.substr(0, text.find_last_not_of('0') + 1);
}

}  // namespace softwood
