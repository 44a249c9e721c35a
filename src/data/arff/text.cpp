#include "data/arff/text.h"

#include <fmt/format.h>

#include "data/text/cell_text.h"
#include "softwood/error.h"

namespace softwood {
namespace {

constexpr std::string_view kBlanks = " \t";

bool is_quote(char letter) {
  return letter == '\'' || letter == '"';
}

char unescaped(char letter) {
  switch (letter) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    default:
      return letter;  // \' \" \\ \%
  }
}

/// A comment begins at the line's start, or after a blank: "50%" is a value.
std::size_t find_comment(std::string_view line) {
  char quote = '\0';
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool starts = at == 0 || kBlanks.find(line[at - 1]) != kBlanks.npos;
    if (quote != '\0') {
      if (line[at] == '\\')
        ++at;
      else if (line[at] == quote)
        quote = '\0';
    } else if (line[at] == '%' && starts) {
      return at;
    } else if (is_quote(line[at]) &&
               (starts || std::string_view(",{").find(line[at - 1]) != std::string_view::npos)) {
      quote = line[at];
    }
  }
  return line.size();
}

void skip_blanks(std::string_view& left) {
  left.remove_prefix(std::min(left.find_first_not_of(kBlanks), left.size()));
}

/// The quoted value at the front of `left`.
std::string take_quoted(std::string_view& left, const ArffLines& lines) {
  const char quote = left.front();
  std::string text;
  for (std::size_t at = 1; at < left.size(); ++at) {
    if (left[at] == quote) {
      left.remove_prefix(at + 1);
      return text;
    }
    if (left[at] == '\\' && at + 1 < left.size()) {
      text += unescaped(left[++at]);
    } else {
      text += left[at];
    }
  }
  lines.fail("a quote opens here and never closes.");
}

}  // namespace

ArffLines::ArffLines(const FileBytes& file) : origin_(file.origin()), left_(file.text()) {
  const std::size_t nul = left_.find('\0');
  if (nul == std::string_view::npos) return;
  throw Error(fmt::format("'{}' is no ARFF text: it holds a NUL byte.", origin_));
}

bool ArffLines::next() {
  while (!left_.empty()) {
    const std::size_t end = left_.find('\n');
    line_ = left_.substr(0, end);
    left_.remove_prefix(end + 1);
    ++number_;
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    line_ = trimmed(line_);
    if (line_.find('%') != std::string_view::npos)
      line_ = trimmed(line_.substr(0, find_comment(line_)));
    if (!line_.empty()) return true;
  }
  return false;
}

void ArffLines::fail(const std::string& message) const {
  throw Error(fmt::format("{}:{}: {}", origin_, number_, message));
}

ArffToken take_token(std::string_view& left, std::string_view stops, const ArffLines& lines) {
  skip_blanks(left);
  ArffToken token;
  if (!left.empty() && is_quote(left.front())) {
    token = {as_utf8(take_quoted(left, lines)), true};
  } else {
    const std::size_t end = std::min(left.find_first_of(stops), left.size());
    token.text = as_utf8(trimmed(left.substr(0, end)));
    left.remove_prefix(end);
  }
  skip_blanks(left);
  return token;
}

void split_values(std::string_view left, const ArffLines& lines, std::vector<ArffToken>& values) {
  values.clear();
  std::string_view after_first = left;
  take_token(after_first, ",", lines);
  const bool commas = after_first.starts_with(',');
  while (true) {
    values.push_back(take_token(left, commas ? "," : kBlanks, lines));
    if (left.empty()) return;
    if (!commas) continue;
    if (left.front() != ',') lines.fail("text follows a closing quote.");
    left.remove_prefix(1);
  }
}

}  // namespace softwood
