#pragma once

#include <string_view>

#include "loss/language/syntax.h"

namespace softwood::loss {

/// Text → statements, within limits.h. Checks the grammar and the names and argument counts of
/// functions; errors are "ORIGIN:LINE:COLUMN: …". A text that is one bare expression gives one
/// statement of kind formula.
///
/// program    = { statement }
///
/// statement  = "outputs" name ["[" expr "]"] { "," … } | "param" name "=" expr
///
///            | "unit" name "=" expr | "label" name "=" expr | "require" expr | "censored" expr
///
///            | "cdf" "(" name ")" "=" expr | name "=" expr
///
/// expr       = and { "or" and };  and = not { "and" not };  not = "not" not | comparison
///
/// comparison = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
///
/// sum        = product { ("+" | "-") product };  product = unary { ("*" | "/") unary }
///
/// unary      = ("-" | "+") unary | power;  power = postfix [ "^" unary ]
///
/// postfix    = atom { "[" expr "]" };  list = expr { "," expr }
///
/// atom       = number | "inf" | "nan" | name | name "(" list ")" | "[" list "]" | "(" expr ")"
Syntax parse(std::string_view text, std::string_view origin);

}  // namespace softwood::loss
