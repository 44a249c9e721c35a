// What the text means, and what the errors say.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loss/loss_testing.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using ::testing::ElementsAre;
using ::testing::ThrowsMessage;

LossProgram compile(const std::string& text, std::size_t classes = 0) {
  return LossProgram::compile({.name = "mine.loss", .text = text, .settings = {}}, classes);
}

double value(const std::string& expression, double y = 0, double f = 0) {
  return evaluate_at(compile("loss = " + expression), y, {f}).loss;
}

std::vector<std::string> prediction_names(const LossProgram& program) {
  std::vector<std::string> names;
  for (const auto& prediction : program.predictions()) names.push_back(prediction.name);
  return names;
}

TEST(Language, operators_bind_as_in_mathematics) {
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("10 - 3 - 2"), 5);
  EXPECT_EQ(value("12/3/2"), 2);
  EXPECT_EQ(value("2 + 3*4^2"), 50);
  EXPECT_EQ(value("- -3"), 3);
  EXPECT_EQ(value("if(1 < 2 and not 3 < 2 or 1 == 2, 1, 0)"), 1);
  EXPECT_EQ(value("if(not 1 < 2 and 1 == 2, 1, 0)"), 0);
  EXPECT_EQ(value(".5 + 1e2 + 2.E-1"), 100.7);
}

TEST(Language, comparisons_compare) {
  for (const auto& [expression, holds] :
       std::vector<std::pair<std::string, bool>>{{"y == 2", true},
                                                 {"y != 2", false},
                                                 {"y < 2", false},
                                                 {"y <= 2", true},
                                                 {"y > 1", true},
                                                 {"y >= 3", false},
                                                 {"not y < 2", true}}) {
    EXPECT_EQ(value("if(" + expression + ", 1, 0)", 2), holds ? 1 : 0) << expression;
  }
}

TEST(Language, functions_say_what_they_compute) {
  EXPECT_NEAR(value("lgamma(f + 1)", 0, 5), std::log(120.0), 1e-14);
  EXPECT_NEAR(value("digamma(f)", 0, 1), -0.57721566490153286, 1e-15);
  EXPECT_NEAR(value("erf(f)", 0, 0.5), std::erf(0.5), 1e-16);
  EXPECT_NEAR(value("normal_cdf(f)", 0, -1.5), 0.5 * std::erfc(1.5 / std::sqrt(2.0)), 1e-16);
  EXPECT_EQ(value("floor(f)", 0, -1.5), -2);
  EXPECT_EQ(value("min(f, 2) + max(f, 2)", 0, 7), 9);
  EXPECT_NEAR(value("tanh(f)", 0, 0.3), std::tanh(0.3), 1e-16);
  EXPECT_NEAR(value("f^2.5", 0, 1.7), std::pow(1.7, 2.5), 1e-15);
  EXPECT_EQ(value("(f - 3)^3", 0, 1), -8);
}

TEST(Language, vectors_go_component_by_component) {
  const LossProgram program =
      compile("outputs f[3]\nloss = sum(2*f^2 + 1)*y + f[1]\nv = cumsum(f)\nbig = max(f)");
  EXPECT_EQ(evaluate_at(program, 1, {1, 2, 3}).loss, 33);
  const auto predicted = predict_at(program, {1, 2, 3});
  EXPECT_THAT(predicted.at("v"), ElementsAre(1, 3, 6));
  EXPECT_THAT(predicted.at("big"), ElementsAre(3));
}

TEST(Language, an_index_may_be_the_response) {
  const LossProgram program = compile("outputs f[classes]\nloss = f[y]\np = softmax(f)", 3);
  EXPECT_TRUE(program.uses_classes());
  EXPECT_EQ(evaluate_at(program, 2, {5, 6, 7}).loss, 7);
  EXPECT_THAT(evaluate_at(program, 1, {5, 6, 7}).gradient, ElementsAre(0, 1, 0));
  EXPECT_TRUE(std::isnan(evaluate_at(program, 3, {5, 6, 7}).loss));
}

TEST(Language, predictions_are_definitions_of_outputs_without_y_and_mean_comes_first) {
  const LossProgram program = compile(
      "outputs a, b\nrate = exp(a)\n_helper = a + b\nr = y - a\nhigh = a > b\nk = 3\n"
      "loss = r^2*b\nmean = rate*b\nloss_free = b");
  EXPECT_THAT(prediction_names(program), ElementsAre("mean", "rate", "loss_free"));
}

TEST(Language, without_predictions_the_outputs_stand_for_themselves) {
  EXPECT_THAT(prediction_names(compile("outputs a, b[2]\nloss = y*a + sum(b)")),
              ElementsAre("a", "b"));
  EXPECT_THAT(prediction_names(compile("loss = (y - f)^2")), ElementsAre("mean"));
}

TEST(Language, free_names_are_columns_and_predictions_ask_only_for_their_own) {
  const LossProgram program = compile(
      "outputs f\nloss = event*(y - f)^2 + `upper bound`\nmean = f*scale\nrequire event >= weight");
  EXPECT_THAT(program.columns(), ElementsAre("event", "upper bound", "scale", "weight"));
  EXPECT_THAT(program.prediction_columns(), ElementsAre(2u));
  EXPECT_EQ(evaluate_at(program, 3, {1},
                        {{"event", 2}, {"upper bound", 0.5}, {"scale", 0}, {"weight", 0}})
                .loss,
            8.5);
}

TEST(Language, parameters_become_numbers_or_columns) {
  const LossSource source{.name = "l",
                          .text = "param a = 1\nparam b = 2\nloss = a*y + b*f",
                          .settings = {{"a", 5.0}, {"b", "size"}}};
  const LossProgram program = LossProgram::compile(source);
  EXPECT_THAT(program.columns(), ElementsAre("size"));
  EXPECT_EQ(evaluate_at(program, 2, {3}, {{"size", 4}}).loss, 22);
}

TEST(Language, units_are_stated_per_output_or_for_a_whole_vector) {
  const LossProgram program =
      compile("outputs a, v[2], b\nunit v = 0.5\nunit a = 2\nloss = y + a + b + sum(v)");
  EXPECT_EQ(program.outputs()[0].unit, 2);
  EXPECT_EQ(program.outputs()[2].unit, 0.5);
  EXPECT_FALSE(program.outputs()[3].unit.has_value());
  EXPECT_EQ(program.outputs()[2].name, "v[1]");
}

TEST(Language, lines_go_on_inside_brackets_and_after_operators) {
  EXPECT_EQ(
      evaluate_at(compile("# a comment\nloss = (y   # why\n  - f\n )^2 +\n 1\n\n"), 3, {1}).loss,
      5);
}

TEST(Language, errors_point_at_the_text) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"outputs f\n\nloss = exp(lgo(f))",
       "mine.loss:3:12: unknown function 'lgo'; did you mean 'log'?"},
      {"loss = y -", "mine.loss:1:11: the expression ends too early"},
      {"loss = (y - f", "mine.loss:1:14: expected ')' to close the bracket"},
      {"loss = y f", "mine.loss:1:10: expected the end of the line here, found 'f'"},
      {"loss = y $ f", "mine.loss:1:10: unexpected character '$'"},
      {"loss = y ** f", "mine.loss:1:10: unexpected '**'; powers are written ^"},
      {"loss = log(y, f)", "mine.loss:1:8: log takes 1 argument, not 2"},
      {"loss = if(y, f, 1)", "mine.loss:1:11: a number where a condition is needed, such as y > 0"},
      {"loss = (y > 1)*f",
       "mine.loss:1:11: a condition where a number is needed; write if(condition, 1, 0)"},
      {"loss = 1 < y < f", "mine.loss:1:14: comparisons do not chain; write a < b and b < c"},
      {"outputs f[2]\nloss = f*y",
       "mine.loss:2:1: the loss is a vector of 2, not a number; use sum(…) or an index"},
      {"outputs f[2]\nloss = f[2]*y", "mine.loss:2:10: index 2 is outside 0 … 1"},
      {"outputs f[2], g[3]\nloss = sum(f + g)*y",
       "mine.loss:2:14: vectors of 2 and 3 components do not go together"},
      {"loss = sum(f) + y", "mine.loss:1:12: sum needs a vector here"},
      {"loss = f[0] + y", "mine.loss:1:9: only a vector has components to pick with [ ]"},
      {"a = 1\na = 2\nloss = a*y*f", "mine.loss:2:1: 'a' is defined twice"},
      {"loss = a*f*y\na = 2", "mine.loss:1:8: 'a' is used before its definition"},
      {"y = 2\nloss = f", "mine.loss:1:1: 'y' is a word of the language; choose another name"},
      {"(y - f)^2\na = 2",
       "mine.loss:1:1: a line that is no definition; write 'loss = …', or 'NAME = …'"},
      {"a = 2", "mine.loss: no line says what the loss is; write 'loss = …'"},
      {"require y\nloss = f", "mine.loss:1:9: 'require' needs a condition, such as y >= 0"},
      {"require f > 0\nloss = f",
       "mine.loss:1:9: 'require' is about the data; it cannot read an output"},
      {"unit g = 1\nloss = f", "mine.loss:1:6: 'g' is not one of the outputs above"},
      {"param k = y\nloss = f", "mine.loss:1:11: the default of a parameter must be a number"},
      {"outputs f[0]\nloss = y", "mine.loss:1:11: a vector cannot have 0 components"},
      {"loss = 3x", "mine.loss:1:8: this is not a number"},
      {"outputs f[classes]\nloss = f[y]",
       "mine.loss:1:11: 'classes' is the number of classes, but the target is not one of classes"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_THAT([&] { compile(text); }, ThrowsMessage<Error>(message)) << text;
  }
}

TEST(Language, nesting_without_end_is_an_error_and_not_a_crash) {
  for (const std::string open : {"(", "-", "not ", "exp(", "f[", "f+", "f[0]["}) {
    std::string text = "loss = ";
    for (int i = 0; i < 100000; ++i) text += open;
    EXPECT_THROW(compile(text), Error) << open;
  }
}

TEST(Language, a_cdf_is_a_function_of_its_argument_and_the_outputs) {
  const LossProgram program = compile("loss = y*exp(-f) + f; cdf(q) = 1 - exp(-q*exp(-f))");
  EXPECT_TRUE(program.has_cdf());
  EXPECT_FALSE(program.is_discrete());
  EXPECT_NEAR(cdf_at(program, 2, {0}), 1 - std::exp(-2), 1e-15);
  EXPECT_THAT(prediction_names(program), ElementsAre("mean"));
  EXPECT_FALSE(compile("loss = (y - f)^2").has_cdf());
}

TEST(Language, a_cdf_of_floors_and_sides_is_one_of_whole_numbers) {
  EXPECT_TRUE(
      compile("loss = y*f; cdf(q) = if(q < 0, 0, 1 - sigmoid(f)^(floor(q) + 1))").is_discrete());
  EXPECT_FALSE(compile("loss = y*f; cdf(q) = if(q < 0, 0, 1 - exp(-q))").is_discrete());
  EXPECT_FALSE(compile("loss = y*f; cdf(q) = floor(q) + q").is_discrete());
  EXPECT_FALSE(compile("loss = y*f; cdf(q) = if(q < f, 0, 1)").is_discrete());
}

TEST(Language, a_cdf_cannot_read_the_response) {
  EXPECT_THAT(
      [] { compile("loss = (y - f)^2; cdf(q) = q - y"); },
      ThrowsMessage<Error>("mine.loss:1:32: the cdf is a function of 'q' and cannot read y"));
  EXPECT_THAT([] { compile("r = y - f; loss = r^2; cdf(q) = q - r"); },
              ThrowsMessage<Error>(
                  "mine.loss:1:37: the cdf is a function of 'q' and cannot read r, which reads y"));
  EXPECT_THAT([] { compile("loss = (y - f)^2; cdf(f) = f"); },
              ThrowsMessage<Error>("mine.loss:1:19: 'f' means something else above; choose another "
                                   "name for the argument of the cdf"));
  EXPECT_THAT([] { compile("loss = (y - f)^2; cdf(q) = f"); },
              ThrowsMessage<Error>("mine.loss:1:19: the cdf does not depend on 'q'"));
  EXPECT_THAT([] { compile("loss = (y - f)^2; cdf = f"); },
              ThrowsMessage<Error>(
                  "mine.loss:1:23: expected '(' in cdf(q) = …, the probability of y <= q"));
}

TEST(Language, censored_marks_rows_by_their_data) {
  const LossProgram program = compile("loss = (y - f)^2; censored event == 0");
  const std::vector<double> y = {1, 2, 3}, event = {0, 1, 0};
  EXPECT_TRUE(program.has_censoring());
  EXPECT_THAT(program.censored({.y = y, .columns = {event}}), ElementsAre(true, false, true));
  EXPECT_THAT(compile("loss = (y - f)^2").censored({.y = y, .columns = {}}),
              ElementsAre(false, false, false));
  EXPECT_THAT(program.prediction_columns(), ElementsAre());
}

TEST(Language, a_distribution_names_the_columns_it_needs) {
  const LossProgram program =
      compile("loss = (y - f)^2 + a + b; mean = f*b; cdf(q) = normal_cdf(q - f*c)");
  EXPECT_THAT(program.columns(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(program.prediction_columns(), ElementsAre(1));
  EXPECT_THAT(program.distribution_columns(), ElementsAre(1, 2));
}

}  // namespace
}  // namespace softwood
