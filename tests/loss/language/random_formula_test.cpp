// Formulas that nobody would write: a few hundred random ones against differences of their values.
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "loss/loss_testing.h"

namespace softwood {
namespace {

/// A smooth expression in y, a and b whose values stay moderate.
rc::Gen<std::string> expression(int depth) {
  if (depth == 0) {
    return rc::gen::element<std::string>("y", "a", "b", "0.5", "2", "a", "b", "1");
  }
  const auto wrap = [](std::string before, std::string after) {
    return [before, after](const std::string& inner) { return before + inner + after; };
  };
  const auto inner = rc::gen::lazy([depth] { return expression(depth - 1); });
  const auto pair = [inner](std::string before, std::string between, std::string after) {
    return rc::gen::map(rc::gen::pair(inner, inner),
                        [=](const std::pair<std::string, std::string>& both) {
                          return before + both.first + between + both.second + after;
                        });
  };
  return rc::gen::oneOf(
      pair("(", " + ", ")"), pair("(", " - ", ")"), pair("tanh(", ")*sigmoid(", ")"),
      pair("(", ")/(1 + (", ")^2)"), pair("logaddexp(", ", ", ")"),
      pair("log(exp(tanh(", ")) + exp(tanh(", ")))"),
      rc::gen::map(inner, wrap("log(1 + exp(", "))")),
      rc::gen::map(inner, wrap("log(sigmoid(", "))")),
      rc::gen::map(inner, wrap("(1 - sigmoid(", "))")),
      rc::gen::map(inner, wrap("exp(tanh(", "))")), rc::gen::map(inner, wrap("sqrt(1 + (", ")^2)")),
      rc::gen::map(inner, wrap("softplus(", ")")), rc::gen::map(inner, wrap("log_cosh(", ")")),
      rc::gen::map(inner, wrap("erf(", ")")), rc::gen::map(inner, wrap("normal_log_cdf(", ")")),
      rc::gen::map(inner, wrap("-(", ")")), rc::gen::map(inner, wrap("lgamma(1 + softplus(", "))")),
      rc::gen::map(inner, wrap("if(y > 1, ", ", b)")),
      rc::gen::map(inner, wrap("(exp(tanh(", ")) - 1)")));
}

void check_one_formula() {
  const std::string formula = *expression(*rc::gen::inRange(1, 5));
  const LossSource source{
      .name = "random", .text = "outputs a, b\nloss = " + formula + "\n", .settings = {}};
  const LossProgram program = LossProgram::compile(source);
  const auto number = [] { return static_cast<double>(*rc::gen::inRange(-200, 200)) / 100; };
  const double y = static_cast<double>(*rc::gen::inRange(0, 3));
  const std::vector<double> f = {number(), number()};
  const double loss = evaluate_at(program, y, f).loss;
  if (!std::isfinite(loss) || std::abs(loss) > 1e4) return;
  expect_gradient(program, y, f, {}, 1e-5);
  RC_ASSERT(!::testing::Test::HasFailure());
}

RC_GTEST_PROP(RandomFormulas, gradient_agrees_with_differences_of_the_value, ()) {
  for (int formula = 0; formula < 4; ++formula) check_one_formula();
}

}  // namespace
}  // namespace softwood
