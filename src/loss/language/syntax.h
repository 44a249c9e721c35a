#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace softwood::loss {

/// A place in the text, both counted from 1.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
};

struct Expression {
  enum class Kind { number, name, call, vector, index, negate, logical_not, binary };
  Kind kind;
  Position at;
  double number = 0;
  /// A name, a function, or a binary operator: + - * / ^ == != < <= > >= and or.
  std::string text = {};
  std::vector<std::unique_ptr<Expression>> operands = {};
  int height = 1;  ///< 1 + that of the highest operand; limits.h bounds it
};
using ExpressionPtr = std::unique_ptr<Expression>;

struct Statement {
  enum class Kind { outputs, param, define, cdf, require, censored, unit, label, formula };
  Kind kind;
  Position at;
  std::string name = {};  ///< what is defined; of `cdf(q) = …` the q
  ExpressionPtr value =
      {};  ///< of a definition, parameter, requirement, unit, label; the size of a vector output
  std::string source = {};  ///< the value as written
};

struct Syntax {
  std::vector<Statement> statements;  ///< one per output of an `outputs` line
};

/// "ORIGIN:LINE:COLUMN: message" as an Error; control characters of the text are shown as \\x00.
[[noreturn]] void fail_at(std::string_view origin, Position at, const std::string& message);
/// "; did you mean 'log'?" if a candidate is close, else "".
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace softwood::loss
