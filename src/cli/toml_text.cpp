#include "cli/toml_text.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "softwood/error.h"

namespace softwood::cli {
namespace {

constexpr std::size_t kMostParts = 16;  // a table's and a name's in it are two

/// Behind the text in quotes that begins at `at`. Quotes that never close are the parser's to tell.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string thrice(3, quote);
  const bool is_long = text.substr(at).starts_with(thrice);
  at += is_long ? 3 : 1;
  while (at < text.size() && (is_long || text[at] != '\n')) {
    if (is_long ? text.substr(at).starts_with(thrice) : text[at] == quote)
      return at + (is_long ? 3 : 1);
    at += text[at] == '\\' && quote == '"' ? 2 : 1;
  }
  return at;
}

}  // namespace

void check_toml_text(const std::string& path, std::string_view text) {
  std::size_t line = 1, parts = 1;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  for (std::size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
       at < text.size();) {
    const char letter = text[at];
    if (letter == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (letter == '"' || letter == '\'') {
      const std::size_t end = std::min(end_of_quoted(text, at), text.size());
      line += static_cast<std::size_t>(std::count(text.begin() + at, text.begin() + end, '\n'));
      at = end;
    } else if (static_cast<unsigned char>(letter) >= 0x80) {
      throw Error(
          fmt::format("{}:{}: a letter that is not ASCII, outside of quotes: names of options are "
                      "plain, and texts stand in quotes.",
                      path, line));
    } else {
      if (letter == '.') ++parts;
      if (std::string_view(",=[]{}\n").find(letter) != std::string_view::npos) parts = 1;
      if (letter == '\n') ++line;
      ++at;
    }
    if (parts > kMostParts)
      throw Error(
          fmt::format("{}:{}: a name of more than {} parts with dots between: no option has "
                      "such a name.",
                      path, line, kMostParts));
  }
}

}  // namespace softwood::cli
