#include "cli/toml_keys.h"

#include <algorithm>
#include <cstddef>

#include "softwood/error.h"

namespace softwood::cli {
namespace {

/// Where a text that begins with quotes at `at` ends; it may be of several lines.
std::size_t end_of_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string_view threefold = quote == '"' ? "\"\"\"" : "'''";
  const std::size_t size = text.substr(at).starts_with(threefold) ? 3 : 1;
  const std::string_view end = threefold.substr(0, size);
  for (at += size; at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"') {
      ++at;
    } else if (text.substr(at).starts_with(end)) {
      return at + size - 1;
    } else if (text[at] == '\n' && size == 1) {
      return at;  // never closed: the parser says so
    }
  }
  return text.size();
}

}  // namespace

void expect_plain_keys(std::string_view text) {
  constexpr std::size_t kMostDots = 50;
  std::size_t dots = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"' || text[at] == '\'') {
      at = end_of_quotes(text, at);
    } else if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
      dots = 0;
    } else if (text[at] == '.') {
      if (++dots > kMostDots) throw Error("a key has more than 50 parts; options have one.");
    } else if (std::string_view("\n=,{}").find(text[at]) != std::string_view::npos) {
      dots = 0;
    }
  }
}

}  // namespace softwood::cli
