#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "loss/language/syntax.h"

namespace softwood::loss {

struct Token {
  enum class Kind { number, name, quoted_name, symbol, end_of_statement, end };
  Kind kind;
  std::string text;
  double number = 0;
  Position at = {};
  std::size_t begin = 0;  ///< bytes of the text
  std::size_t end = 0;

  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
  bool is_word(std::string_view word) const { return kind == Kind::name && text == word; }
};

/// Splits a loss into tokens. A new line or `;` ends a statement, except inside brackets and after
/// an operator or a comma; `#` starts a comment; names that are no identifiers stand in
/// `backquotes`. Errors point at ORIGIN:LINE:COLUMN. The last token is `end`.
std::vector<Token> tokenize(std::string_view text, std::string_view origin);

}  // namespace softwood::loss
