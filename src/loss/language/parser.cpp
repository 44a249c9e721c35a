#include "loss/language/parser.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "loss/language/functions.h"
#include "loss/language/lexer.h"
#include "loss/language/limits.h"

namespace softwood::loss {
namespace {

using Kind = Expression::Kind;

bool is_reserved(std::string_view word) {
  static constexpr std::array<std::string_view, 14> kWords = {
      "outputs", "param", "require", "censored", "unit",    "cdf", "if",
      "and",     "or",    "not",     "y",        "classes", "inf", "nan"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

class Parser {
 public:
  Parser(std::string_view text, std::string_view origin)
      : text_(text), origin_(origin), tokens_(tokenize(text, origin)) {}

  Syntax run() {
    while (peek().kind != Token::Kind::end) {
      statement();
      if (syntax_.statements.size() > kMaxStatements) {
        fail(
            fmt::format("more than {} statements, which is the limit; a vector holds many numbers "
                        "in one",
                        kMaxStatements));
      }
      if (peek().kind != Token::Kind::end_of_statement) {
        fail(fmt::format("expected the end of the line here, found '{}'", peek().text));
      }
      take();
    }
    return std::move(syntax_);
  }

 private:
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& take() { return tokens_[at_++]; }
  bool accept(std::string_view symbol) {
    if (!peek().is(symbol)) return false;
    take();
    return true;
  }
  void expect(std::string_view symbol, std::string_view why) {
    if (!accept(symbol)) fail(fmt::format("expected '{}' {}", symbol, why));
  }
  [[noreturn]] void fail(const std::string& message) const { fail_at(origin_, peek().at, message); }

  void statement() {
    const bool defines = peek(1).is("=");
    if (peek().is_word("outputs") && !defines) return outputs();
    if (peek().is_word("param") && !defines) return setting(Statement::Kind::param);
    if (peek().is_word("unit") && !defines) return setting(Statement::Kind::unit);
    if (peek().is_word("require") && !defines) return condition(Statement::Kind::require);
    if (peek().is_word("censored") && !defines) return condition(Statement::Kind::censored);
    if (peek().is_word("cdf")) return cdf();
    // No word of its own: many tables have a column that is called label.
    if (peek().is_word("label") && peek(1).kind == Token::Kind::name)
      return setting(Statement::Kind::label);
    if (defines) {
      Statement definition{.kind = Statement::Kind::define, .at = peek().at};
      definition.name = new_name();
      take();
      return finish(std::move(definition));
    }
    finish({.kind = Statement::Kind::formula, .at = peek().at});
  }

  /// Reads the value of a statement and keeps it.
  void finish(Statement statement) {
    const std::size_t begin = peek().begin;
    statement.value = expression();
    statement.source = std::string(text_.substr(begin, tokens_[at_ - 1].end - begin));
    syntax_.statements.push_back(std::move(statement));
  }

  std::string new_name() {
    const Token& token = peek();
    if (token.kind != Token::Kind::name) fail("expected a name here");
    if (is_reserved(token.text)) {
      fail(fmt::format("'{}' is a word of the language; choose another name", token.text));
    }
    return take().text;
  }

  void outputs() {
    take();
    do {
      Statement output{.kind = Statement::Kind::outputs, .at = peek().at};
      output.name = new_name();
      if (accept("[")) {
        output.value = expression();
        expect("]", "after the size of a vector");
      }
      syntax_.statements.push_back(std::move(output));
    } while (accept(","));
  }

  void condition(Statement::Kind kind) {
    take();
    finish({.kind = kind, .at = peek().at});
  }

  void cdf() {
    constexpr std::string_view kForm = "in cdf(q) = …, the probability of y <= q";
    Statement statement{.kind = Statement::Kind::cdf, .at = take().at};
    expect("(", kForm);
    statement.name = new_name();
    expect(")", kForm);
    expect("=", kForm);
    finish(std::move(statement));
  }

  void setting(Statement::Kind kind) {
    take();
    Statement statement{.kind = kind, .at = peek().at};
    statement.name = new_name();
    expect("=", kind == Statement::Kind::param  ? "and the parameter's default"
                : kind == Statement::Kind::unit ? "and the unit"
                                                : "and a vector of labels");
    finish(std::move(statement));
  }

  // --- expressions, from the loosest operator to the tightest ---

  void descend() {
    if (++depth_ <= kMaxNesting) return;
    fail(
        fmt::format("this expression is nested too deeply: the limit is {} brackets or signs in "
                    "each other; give its parts names",
                    kMaxNesting));
  }

  /// Hangs an operand below its node.
  void adopt(Expression& node, ExpressionPtr operand) const {
    node.height = std::max(node.height, operand->height + 1);
    node.operands.push_back(std::move(operand));
    if (node.height <= kMaxHeight) return;
    fail_at(origin_, node.at,
            fmt::format("this expression is too long: the limit is {} operations on top of each "
                        "other; give its parts names",
                        kMaxHeight));
  }

  ExpressionPtr expression() {
    descend();
    ExpressionPtr result = left_associative(
        {"or"}, [this] { return left_associative({"and"}, [this] { return negation(); }); });
    --depth_;
    return result;
  }

  template <class Operand>
  ExpressionPtr left_associative(std::initializer_list<std::string_view> operators,
                                 Operand operand) {
    ExpressionPtr left = operand();
    while (is_operator(operators)) {
      const Token& token = take();
      left = binary(token, std::move(left), operand());
    }
    return left;
  }
  bool is_operator(std::initializer_list<std::string_view> operators) const {
    const Token& token = peek();
    if (token.kind != Token::Kind::symbol && token.kind != Token::Kind::name) return false;
    return std::find(operators.begin(), operators.end(), token.text) != operators.end();
  }
  ExpressionPtr binary(const Token& token, ExpressionPtr left, ExpressionPtr right) const {
    auto node = std::make_unique<Expression>(Expression{Kind::binary, token.at, 0, token.text});
    adopt(*node, std::move(left));
    adopt(*node, std::move(right));
    return node;
  }
  ExpressionPtr unary(Kind kind, Position at, ExpressionPtr operand) const {
    auto node = std::make_unique<Expression>(Expression{kind, at});
    adopt(*node, std::move(operand));
    return node;
  }

  ExpressionPtr negation() {
    if (!peek().is_word("not")) return comparison();
    descend();
    const Position at = take().at;
    ExpressionPtr result = unary(Kind::logical_not, at, negation());
    --depth_;
    return result;
  }

  bool is_comparison() const { return is_operator({"==", "!=", "<", "<=", ">", ">="}); }

  ExpressionPtr comparison() {
    ExpressionPtr left = sum();
    if (!is_comparison()) return left;
    const Token& token = take();
    ExpressionPtr result = binary(token, std::move(left), sum());
    if (is_comparison()) fail("comparisons do not chain; write a < b and b < c");
    return result;
  }

  ExpressionPtr sum() {
    return left_associative({"+", "-"}, [this] {
      return left_associative({"*", "/"}, [this] { return signed_power(); });
    });
  }

  ExpressionPtr signed_power() {
    descend();
    ExpressionPtr result;
    if (peek().is("-")) {
      const Position at = take().at;
      result = unary(Kind::negate, at, signed_power());
    } else if (accept("+")) {
      result = signed_power();
    } else {
      result = power();
    }
    --depth_;
    return result;
  }

  /// Right associative, tighter than a sign on its left: -a^b^c is -(a^(b^c)).
  ExpressionPtr power() {
    ExpressionPtr base = postfix();
    if (!peek().is("^")) return base;
    const Token& token = take();
    return binary(token, std::move(base), signed_power());
  }

  ExpressionPtr postfix() {
    ExpressionPtr value = atom();
    while (peek().is("[")) {
      const Position at = take().at;
      ExpressionPtr picked = unary(Kind::index, at, std::move(value));
      adopt(*picked, expression());
      expect("]", "after the index");
      value = std::move(picked);
    }
    return value;
  }

  ExpressionPtr atom() {
    const Token& token = peek();
    if (token.kind == Token::Kind::number) {
      take();
      return std::make_unique<Expression>(Expression{Kind::number, token.at, token.number});
    }
    if (token.is_word("inf") || token.is_word("nan")) return special_number();
    if (token.is("[")) return vector();
    if (token.kind == Token::Kind::name && peek(1).is("(")) return call();
    if (token.kind == Token::Kind::name || token.kind == Token::Kind::quoted_name) return name();
    if (accept("(")) {
      ExpressionPtr inner = expression();
      expect(")", "to close the bracket");
      return inner;
    }
    if (token.is("=")) fail("unexpected '='; equality is written ==");
    if (token.text.empty()) fail("the expression ends too early");
    fail(fmt::format("expected a number, a name or '(', found '{}'", token.text));
  }

  ExpressionPtr special_number() {
    const Token& token = take();
    const double value = token.text == "inf" ? std::numeric_limits<double>::infinity()
                                             : std::numeric_limits<double>::quiet_NaN();
    return std::make_unique<Expression>(Expression{Kind::number, token.at, value});
  }

  ExpressionPtr vector() {
    auto node = std::make_unique<Expression>(Expression{Kind::vector, take().at});
    if (peek().is("]")) fail("a vector needs at least one component");
    do {
      adopt(*node, expression());
    } while (accept(","));
    expect("]", "to close the vector");
    return node;
  }

  ExpressionPtr name() {
    const Token& token = peek();
    const bool word = token.kind == Token::Kind::name && is_reserved(token.text);
    if (word && token.text != "y" && token.text != "classes") {
      fail(fmt::format("expected a number, a name or '(', found '{}'", token.text));
    }
    take();
    return std::make_unique<Expression>(Expression{Kind::name, token.at, 0, token.text});
  }

  ExpressionPtr call() {
    const Token& token = take();
    const Function* function = find_function(token.text);
    if (function == nullptr) {
      fail_at(origin_, token.at,
              fmt::format("unknown function '{}'{}", token.text,
                          suggestion(token.text, function_names())));
    }
    take();  // (
    auto node = std::make_unique<Expression>(Expression{Kind::call, token.at, 0, token.text});
    do {
      adopt(*node, expression());
    } while (accept(","));
    expect(")", fmt::format("to close {}(", token.text));
    check_arity(*function, token, node->operands.size());
    return node;
  }

  void check_arity(const Function& function, const Token& token, std::size_t given) const {
    const bool one_vector = function.kind == Function::Kind::min_max && given == 1;
    if (one_vector || given == static_cast<std::size_t>(function.arity)) return;
    fail_at(origin_, token.at,
            fmt::format("{} takes {} argument{}, not {}", token.text, function.arity,
                        function.arity == 1 ? "" : "s", given));
  }

  std::string_view text_;
  std::string_view origin_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Syntax syntax_;
};

}  // namespace

Syntax parse(std::string_view text, std::string_view origin) {
  if (text.size() > kMaxTextBytes) {
    fail_at(origin, {},
            fmt::format("the text of this loss has {} bytes; the limit is {}", text.size(),
                        kMaxTextBytes));
  }
  return Parser(text, origin).run();
}

}  // namespace softwood::loss
