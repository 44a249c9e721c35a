#pragma once

#include <optional>
#include <string_view>

namespace softwood {

/// What the trees see of a date; `none` is the plain number of a numeric column.
enum class DatePart { none, time, year, month, day, weekday, hour, minute };

/// "" (none), "time", "year", ….
std::string_view date_part_name(DatePart part);
/// The part of that name, if there is one.
std::optional<DatePart> find_date_part(std::string_view name);

/// time: days since 1970-01-01 with their fraction; weekday: Monday = 1 … Sunday = 7; the others as
/// on a calendar and a clock, in UTC. `seconds` since 1970; NaN and infinities come back as they
/// are.
double date_part(DatePart part, double seconds);

}  // namespace softwood
