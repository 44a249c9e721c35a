#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/text/written_number.h"
#include "softwood/table.h"

namespace softwood {

/// Makes a categorical column a datetime column if every level is a date, all in one order
/// (`order`, or any if it is empty); otherwise leaves it and returns the first row that is no date.
std::optional<std::size_t> turn_into_dates(Column& column, const std::string& order);

/// Makes a categorical column a numeric one if every level is a number (or true or false: 1 or 0);
/// otherwise leaves it and returns the first row that is none. Without a settled style, what reads
/// differently with another decimal sign is none.
std::optional<std::size_t> turn_into_numbers(Column& column,
                                             const NumberStyle& style = {.is_settled = false});

/// Replaces codes and levels by each level's value, NaN for missing cells.
void turn_into_values(Column& column, const std::function<double(std::size_t level)>& value_of);

/// As above, but the cells that are no dates or numbers become missing; returns their rows. An
/// empty `order` is found among the cells that are dates.
std::vector<std::size_t> read_dates_leniently(Column& column, const std::string& order);
std::vector<std::size_t> read_numbers_leniently(Column& column,
                                                const NumberStyle& style = {.is_settled = false});

/// What to say of a cell that had to be a number, or a date: "column 'age': 'abc' is not a number.
/// …"; of 1,234 without a settled style how each decimal sign would read it.
std::string not_a_number(std::string_view column, std::string_view cell,
                         const NumberStyle& style = {});
std::string not_a_date(std::string_view column, std::string_view cell, std::string_view order);

/// The cell for a message: not longer than a line, without line ends.
std::string quoted_for_message(std::string_view cell);

}  // namespace softwood
