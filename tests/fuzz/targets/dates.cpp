#include <algorithm>

#include "data/arff/date.h"
#include "data/text/date_parts.h"
#include "data/text/date_text.h"
#include "fuzz/targets.h"

namespace softwood::fuzz {

/// The first line is a format of ARFF, the rest a date.
void dates(std::string_view bytes) {
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  const std::string_view text = bytes.substr(std::min(end + 1, bytes.size()));
  const auto look_at = [](std::optional<double> seconds) {
    if (!seconds) return;
    date_text(*seconds);
    for (const DatePart part : {DatePart::time, DatePart::year, DatePart::month, DatePart::day,
                                DatePart::weekday, DatePart::hour, DatePart::minute})
      date_part(part, *seconds);
  };
  if (const auto format = ArffDateFormat::from_pattern(bytes.substr(0, end))) {
    format->date_order();
    look_at(format->parse(text));
  }
  for (const char* order : {"ymd", "dmy", "mdy"}) look_at(parse_date(text, order));
}

}  // namespace softwood::fuzz
