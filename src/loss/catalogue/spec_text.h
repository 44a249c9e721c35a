#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace softwood::loss {

// What a user writes after --loss, in pieces.

/// A loss's text as the lexer and a model file want it: UTF-8 (other bytes are read as Latin-1),
/// without a byte-order mark. Throws Error at ORIGIN:LINE:COLUMN for a NUL byte.
std::string plain_text(std::string_view bytes, std::string_view origin);
/// Without the blanks around it.
std::string_view trimmed(std::string_view text);
/// Letters, digits and _, no digit first.
bool is_identifier(std::string_view text);
/// ", ' and ` enclose names that are no plain words.
bool is_quote(char c);
/// The parts between commas that stand outside quotes and brackets; one part if there is none.
std::vector<std::string_view> split_at_commas(std::string_view text);

}  // namespace softwood::loss
