#include "data/text/date_parts.h"

#include <array>
#include <chrono>
#include <cmath>

namespace softwood {
namespace {

constexpr std::array<std::string_view, 8> kNames = {"",    "time",    "year", "month",
                                                    "day", "weekday", "hour", "minute"};
constexpr double kSecondsPerDay = 86400;
/// Far beyond any calendar; keeps the day number inside an int.
constexpr double kLastDay = 1e8;

double calendar_part(DatePart part, int day_number) {
  using namespace std::chrono;
  const sys_days day{days(day_number)};
  const year_month_day date{day};
  switch (part) {
    case DatePart::year:
      return static_cast<int>(date.year());
    case DatePart::month:
      return static_cast<unsigned>(date.month());
    case DatePart::day:
      return static_cast<unsigned>(date.day());
    default:
      return weekday(day).iso_encoding();
  }
}

}  // namespace

std::string_view date_part_name(DatePart part) {
  return kNames[static_cast<std::size_t>(part)];
}

std::optional<DatePart> find_date_part(std::string_view name) {
  for (std::size_t part = 0; part < kNames.size(); ++part) {
    if (kNames[part] == name) return static_cast<DatePart>(part);
  }
  return std::nullopt;
}

double date_part(DatePart part, double seconds) {
  if (part == DatePart::none || !std::isfinite(seconds)) return seconds;
  if (part == DatePart::time) return seconds / kSecondsPerDay;
  const double day = std::floor(seconds / kSecondsPerDay);
  const double second_of_day = seconds - day * kSecondsPerDay;
  if (part == DatePart::hour) return std::floor(second_of_day / 3600);
  if (part == DatePart::minute) return std::fmod(std::floor(second_of_day / 60), 60);
  return calendar_part(part, static_cast<int>(std::fmin(std::fmax(day, -kLastDay), kLastDay)));
}

}  // namespace softwood
