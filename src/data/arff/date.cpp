#include "data/arff/date.h"

#include <array>

#include "data/text/date_text.h"

namespace softwood {
namespace {

constexpr std::string_view kFields = "yMdHmsS";
constexpr std::size_t kMostDigits = 9;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Takes a number of at most `most` digits, or exactly that many.
std::optional<int> take_number(std::string_view& left, std::size_t most, bool exactly) {
  int value = 0;
  std::size_t count = 0;
  while (count < most && count < left.size() && is_digit(left[count])) {
    value = value * 10 + (left[count++] - '0');
  }
  left.remove_prefix(count);
  return count == 0 || (exactly && count < most) ? std::nullopt : std::optional(value);
}

}  // namespace

std::optional<ArffDateFormat> ArffDateFormat::from_pattern(std::string_view pattern) {
  ArffDateFormat format;
  std::string seen;
  bool quoted = false;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char letter = pattern[at];
    if (letter == '\'') {
      const bool doubled = at + 1 < pattern.size() && pattern[at + 1] == '\'';
      if (doubled)
        format.items_.push_back({'\0', pattern[at++]});
      else
        quoted = !quoted;
    } else if (quoted || !is_letter(letter)) {
      format.items_.push_back({'\0', letter});
    } else if (at > 0 && pattern[at - 1] == letter && !format.items_.empty() &&
               format.items_.back().field == letter) {
      ++format.items_.back().width;
    } else {
      if (kFields.find(letter) == kFields.npos || seen.find(letter) != seen.npos)
        return std::nullopt;
      seen += letter;
      format.items_.push_back({letter, '\0'});
    }
  }
  for (const Item& item : format.items_) {
    if (item.field == 'M' && item.width > 2) return std::nullopt;  // names of months
  }
  return format;
}

std::optional<double> ArffDateFormat::parse(std::string_view text) const {
  std::array<int, kFields.size()> parts = {1970, 1, 1, 0, 0, 0, 0};
  for (std::size_t index = 0; index < items_.size(); ++index) {
    const Item& item = items_[index];
    if (item.field == '\0') {
      if (text.empty() || text.front() != item.literal) return std::nullopt;
      text.remove_prefix(1);
      continue;
    }
    const bool adjacent = index + 1 < items_.size() && items_[index + 1].field != '\0';
    if (adjacent && item.width > kMostDigits) return std::nullopt;  // no number of a date
    const std::optional<int> value =
        take_number(text, adjacent ? item.width : kMostDigits, adjacent);
    if (!value) return std::nullopt;
    const bool short_year = item.field == 'y' && item.width == 2 && *value < 100;
    parts[kFields.find(item.field)] = *value + (short_year ? (*value < 69 ? 2000 : 1900) : 0);
  }
  const auto [year, month, day, hour, minute, second, millis] = parts;
  const bool is_time = hour < 24 && minute < 60 && second < 61 && millis < 1000;
  const auto month_number = static_cast<unsigned>(month), day_number = static_cast<unsigned>(day);
  if (!text.empty() || !is_time || !is_calendar_day(year, month_number, day_number)) {
    return std::nullopt;
  }
  return seconds_since_1970(year, month_number, day_number,
                            hour * 3600.0 + minute * 60.0 + second + millis / 1000.0);
}

std::string ArffDateFormat::date_order() const {
  std::string order;
  for (const Item& item : items_) {
    if (item.field == 'y' || item.field == 'd') order += item.field;
    if (item.field == 'M') order += 'm';
  }
  return order == "dmy" || order == "mdy" ? order : "ymd";
}

}  // namespace softwood
