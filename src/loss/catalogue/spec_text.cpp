#include "loss/catalogue/spec_text.h"

#include <algorithm>
#include <cctype>

#include "base/utf8.h"
#include "loss/language/syntax.h"

namespace softwood::loss {

std::string plain_text(std::string_view bytes, std::string_view origin) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  Position at;
  for (const char c : bytes) {
    if (c == '\0')
      fail_at(origin, at,
              "a NUL byte; a loss is plain text, in UTF-8 (convert it if it is UTF-16)");
    ++at.column;
    if (c == '\n') at = {.line = at.line + 1, .column = 1};
  }
  return as_utf8(bytes);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(), letter);
}

bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '`';
}

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  char quote = '\0';
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (is_quote(c)) {
      quote = c;
    } else if (c == '[' || c == '(') {
      ++depth;
    } else if (c == ']' || c == ')') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace softwood::loss
