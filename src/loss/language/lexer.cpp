#include "loss/language/lexer.h"

#include <array>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "softwood/error.h"

namespace softwood::loss {

namespace {

/// A control character would cut, break or colour the message.
std::string without_controls(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F)
      shown += fmt::format("\\x{:02x}", static_cast<unsigned>(byte));
    else
      shown += c;
  }
  return shown;
}

}  // namespace

void fail_at(std::string_view origin, Position at, const std::string& message) {
  throw Error(fmt::format("{}:{}:{}: {}", without_controls(origin), at.line, at.column,
                          without_controls(message)));
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string sentence = did_you_mean(name, candidates);
  return sentence.empty() ? sentence : "; d" + sentence.substr(2);
}

namespace {

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool continues_name(char c) {
  return starts_name(c) || is_digit(c);
}

class Lexer {
 public:
  Lexer(std::string_view text, std::string_view origin) : text_(text), origin_(origin) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) next();
    end_statement();
    push(Token::Kind::end, 0);
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void advance(std::size_t count) {
    for (; count > 0; --count, ++at_) {
      if (text_[at_] == '\n') {
        ++position_.line;
        position_.column = 1;
      } else if ((static_cast<unsigned char>(text_[at_]) & 0xC0) != 0x80) {
        ++position_.column;  // columns count characters, not bytes of UTF-8
      }
    }
  }

  void push(Token::Kind kind, std::size_t length) {
    tokens_.push_back(
        {kind, std::string(text_.substr(at_, length)), 0, position_, at_, at_ + length});
    advance(length);
  }

  void next() {
    const char c = peek();
    if (c == '\n' || c == ';') return new_line(c);
    if (std::isspace(static_cast<unsigned char>(c)) != 0) return advance(1);
    if (c == '#') return skip_comment();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '`') return quoted_name();
    if (starts_name(c)) return name();
    symbol();
  }

  void new_line(char c) {
    // A line that stops at an operator or a comma, or inside brackets, goes on.
    const bool goes_on = depth_ > 0 || (!tokens_.empty() && expects_more(tokens_.back()));
    if (c == ';' && depth_ > 0) fail_at(origin_, position_, "a ';' inside brackets");
    if (!goes_on || c == ';') end_statement();
    advance(1);
  }

  static bool expects_more(const Token& token) {
    if (token.kind == Token::Kind::symbol) return token.text != ")" && token.text != "]";
    return token.is_word("and") || token.is_word("or") || token.is_word("not");
  }

  void end_statement() {
    if (tokens_.empty() || tokens_.back().kind == Token::Kind::end_of_statement) return;
    push(Token::Kind::end_of_statement, 0);
  }

  void skip_comment() {
    std::size_t length = 0;
    while (peek(length) != '\n' && at_ + length < text_.size()) ++length;
    advance(length);
  }

  void name() {
    std::size_t length = 1;
    while (continues_name(peek(length))) ++length;
    push(Token::Kind::name, length);
  }

  void quoted_name() {
    const std::size_t close = text_.find_first_of("`\n", at_ + 1);
    if (close == std::string_view::npos || text_[close] != '`' || close == at_ + 1) {
      fail_at(origin_, position_, "a name in backquotes that does not end on its line");
    }
    push(Token::Kind::quoted_name, close + 1 - at_);
    tokens_.back().text = tokens_.back().text.substr(1, tokens_.back().text.size() - 2);
  }

  void number() {
    double value = 0;
    const char* first = text_.data() + at_;
    const auto [stop, problem] = std::from_chars(first, text_.data() + text_.size(), value);
    const auto length = static_cast<std::size_t>(stop - first);
    if (problem != std::errc() || continues_name(peek(length)) || peek(length) == '.') {
      fail_at(origin_, position_, "this is not a number");
    }
    push(Token::Kind::number, length);
    tokens_.back().number = value;
  }

  void symbol() {
    static constexpr std::array<std::string_view, 4> kPairs = {"==", "!=", "<=", ">="};
    for (const std::string_view pair : kPairs) {
      if (text_.substr(at_, 2) == pair) return push(Token::Kind::symbol, 2);
    }
    const char c = peek();
    if (std::string_view("+-*/^<>=(),[]").find(c) == std::string_view::npos) {
      const std::string hint = c == '!'               ? "; 'not' negates a condition"
                               : c == '&' || c == '|' ? "; write 'and' and 'or'"
                                                      : "";
      fail_at(origin_, position_,
              fmt::format("unexpected character '{}'{}", std::string_view(&c, 1), hint));
    }
    if (c == '*' && peek(1) == '*')
      fail_at(origin_, position_, "unexpected '**'; powers are written ^");
    if (c == '(' || c == '[') ++depth_;
    if ((c == ')' || c == ']') && depth_ > 0) --depth_;
    push(Token::Kind::symbol, 1);
  }

  std::string_view text_;
  std::string_view origin_;
  std::size_t at_ = 0;
  Position position_;
  int depth_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, std::string_view origin) {
  return Lexer(text, origin).run();
}

}  // namespace softwood::loss
