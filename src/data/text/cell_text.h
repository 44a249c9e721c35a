#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace softwood {

/// Without blanks and tabs at its ends.
std::string_view trimmed(std::string_view text);

/// ASCII letters in lower case.
std::string lower_case(std::string_view text);

/// `text` equals `lower` (given in lower case) but for the case of ASCII letters.
bool equals_ignoring_case(std::string_view text, std::string_view lower);

/// The correctly rounded value of a whole trimmed text: "-1.5e3", "+7", ".5", "inf", "-Infinity".
/// Beyond the range of double it is an infinity. NaN is no number but a missing cell.
std::optional<double> parse_number(std::string_view text);

/// A number, or the texts true (1) and false (0) in any case: for columns that are known to be
/// numeric, because frames have booleans there that files spell out.
std::optional<double> parse_number_or_truth(std::string_view text);

/// The shortest decimal text that reads back as the same double: "1", "0.1", "1e+300".
std::string number_text(double value);

}  // namespace softwood
