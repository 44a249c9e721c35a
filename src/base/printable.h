#pragma once

#include <string>
#include <string_view>

namespace softwood {

/// A name from a file as it may be shown: control characters (a terminal would obey them) and marks
/// that turn the direction of a text become \x1b, \u202e, …; all else stays. UTF-8 is kept whole.
std::string printable(std::string_view text);

/// The same of a text of several lines: line ends and tabs stay.
std::string printable_lines(std::string_view text);

/// At most so many bytes of it, "…" at the end of what was cut; letters stay whole.
std::string shortened(std::string_view text, std::size_t most_bytes);

}  // namespace softwood
