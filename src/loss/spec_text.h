#pragma once

#include <string_view>
#include <vector>

namespace softwood::loss {

// What a user writes after --loss, in pieces.

/// Without the blanks around it.
std::string_view trimmed(std::string_view text);
/// Letters, digits and _, no digit first.
bool is_identifier(std::string_view text);
/// ", ' and ` enclose names that are no plain words.
bool is_quote(char c);
/// The parts between commas that stand outside quotes and brackets; one part if there is none.
std::vector<std::string_view> split_at_commas(std::string_view text);

}  // namespace softwood::loss
