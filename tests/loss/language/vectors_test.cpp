// Vectors of the language, parameters that are vectors, and functions that lack a derivative.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loss/constants/units.h"
#include "loss/loss_testing.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using ::testing::ElementsAre;
using ::testing::ThrowsMessage;

LossProgram compile(const std::string& text, std::map<std::string, LossSetting> settings = {}) {
  return LossProgram::compile({.name = "mine.loss", .text = text, .settings = std::move(settings)});
}

double value(const std::string& expression, double y = 0, double f = 0) {
  return evaluate_at(compile("loss = " + expression), y, {f}).loss;
}

TEST(Vectors, are_written_in_brackets_and_spliced) {
  EXPECT_EQ(value("sum([1, f, [y, 10]])", 100, 1000), 1111);
  EXPECT_EQ(value("[1, 2, 3][y]", 2), 3);
  EXPECT_EQ(value("sum([1, 2]*[f, 10])", 0, 5), 25);
  EXPECT_EQ(value("max([f, y, 3])", 4, 2), 4);
}

TEST(Vectors, size_range_and_diff) {
  EXPECT_EQ(value("size([1, f, 3])"), 3);
  EXPECT_EQ(value("sum(range(4)*[1, 10, 100, 1000])"), 3210);
  EXPECT_EQ(value("diff([3, 7, f])[2]", 0, 12), 5);
  EXPECT_EQ(value("diff(cumsum([3, f, 7]))[1]", 0, 12), 12);
  EXPECT_THAT(predict_at(compile("outputs f[3]; loss = sum(f)*y; v = if(range(3) == 0, f, exp(f))"),
                         {5, 0, 1})
                  .at("v"),
              ElementsAre(5, 1, ::testing::DoubleEq(std::exp(1))));
}

TEST(Vectors, differentiate_component_by_component) {
  const LossProgram program =
      compile("outputs f[3]; loss = sum(diff([f, y])^2) + [f, 1][y]*cumsum(f)[2]");
  expect_gradient(program, 1, {0.3, -1.2, 2.5});
}

TEST(Vectors, parameters_may_be_vectors_and_size_outputs) {
  const std::string text = "param v = [1, 2]; outputs f[size(v)]; loss = sum(v*f)*y";
  EXPECT_EQ(evaluate_at(compile(text), 1, {10, 100}).loss, 210);
  const auto longer = compile(text, {{"v", std::vector<double>{1, 2, 3}}});
  EXPECT_EQ(evaluate_at(longer, 1, {1, 10, 100}).loss, 321);
  EXPECT_EQ(evaluate_at(compile(text, {{"v", 4.0}}), 1, {3}).loss, 12);
  EXPECT_EQ(compile("param k = 3; outputs f[k]; loss = sum(f)*y").outputs().size(), 3u);
}

TEST(Vectors, labels_name_the_components_of_a_prediction) {
  const auto program = compile(
      "param at = [0.1, 0.25, 1]; outputs f[3]; loss = sum(f)*y; v = f + 1; w = 2*f; "
      "label v = at");
  EXPECT_THAT(program.predictions()[0].labels, ElementsAre("0.1", "0.25", "1"));
  EXPECT_TRUE(program.predictions()[1].labels.empty());
  EXPECT_EQ(evaluate_at(compile("loss = (y - f)^2 + label"), 1, {1}, {{"label", 3}}).loss, 3);
}

TEST(Vectors, infinity_and_not_a_number_are_numbers) {
  EXPECT_EQ(value("min(inf, y)", 3), 3);
  EXPECT_EQ(value("if(y < -inf, 1, 2)"), 2);
  EXPECT_TRUE(std::isnan(value("nan + y")));
  EXPECT_EQ(evaluate_at(compile("param top = inf; loss = if(y < top, f, 0)"), 1, {7}).loss, 7);
}

TEST(Vectors, mistakes_point_at_the_text) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"loss = sum([])", "mine.loss:1:13: a vector needs at least one component"},
      {"loss = sum([1, y > 2])",
       "mine.loss:1:18: a condition where a number is needed; write if(condition, 1, 0)"},
      {"loss = [1, 2]*y",
       "mine.loss:1:1: the loss is a vector of 2, not a number; use sum(…) or "
       "an index"},
      {"loss = size(y)", "mine.loss:1:13: size needs a vector here"},
      {"loss = sum(range(y))", "mine.loss:1:18: the size of a range must be a number"},
      {"loss = sum(range(0))*y", "mine.loss:1:18: a vector cannot have 0 components"},
      {"param k = exposure; loss = f",
       "mine.loss:1:11: the default of a parameter must be a number"},
      {"param k = [1, y]; loss = f", "mine.loss:1:11: the default of a parameter must be numbers"},
      {"loss = y*f; label v = [1]", "mine.loss:1:19: 'v' is not one of the predictions above"},
      {"outputs f[2]; v = 2*f; loss = y*f[0]; label v = [1, 2, 3]",
       "mine.loss:1:49: 3 labels for 2 components"},
      {"outputs f[2]; v = 2*f; loss = y*f[0]; label v = [1, y]",
       "mine.loss:1:49: labels must be numbers"},
      {"loss = [1, 2", "mine.loss:1:13: expected ']' to close the vector"},
      {"inf = 3; loss = f*y",
       "mine.loss:1:1: 'inf' is a word of the language; choose another name"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_THAT([&] { compile(text); }, ThrowsMessage<Error>(message)) << text;
  }
}

TEST(Vectors, settings_of_the_wrong_kind_are_errors) {
  const std::string text = "param v = [1, 2]; param k = 1; loss = sum(v)*k*f*y";
  EXPECT_THAT(
      [&] {
        compile(text, {{"v", "years"}});
      },
      ThrowsMessage<Error>("mine.loss: the parameter 'v' needs numbers, not the column 'years'"));
  EXPECT_THAT(
      [&] {
        compile(text, {{"v", std::vector<double>{}}});
      },
      ThrowsMessage<Error>("mine.loss: the parameter 'v' needs at least one number"));
  EXPECT_THAT(
      [&] {
        compile(text, {{"k", std::vector<double>{1, 2}}});
      },
      ThrowsMessage<Error>("mine.loss: the parameter 'k' needs one number or column, not 2"));
  EXPECT_THAT(
      [&] {
        compile("param k = 2; outputs f[k]; loss = y*f[0]", {{"k", "years"}});
      },
      ThrowsMessage<Error>("mine.loss:1:24: the size of a vector must be a number"));
}

TEST(Units, may_be_those_of_the_response) {
  const LossProgram program = program_of("outputs f; unit f = y; loss = abs(max(f, 0) - y)");
  const std::vector<double> y = {0, 900, 1000, 1100, 1300};
  const Units units = find_units(program, {.y = y, .columns = {}}, {});
  EXPECT_NEAR(units.offset[0], 1000, 1e-4);
  EXPECT_GT(units.unit[0], 100);
}

TEST(Derivatives, of_distribution_functions_are_known_in_their_last_argument) {
  for (const char* text :
       {"loss = -log(gamma_p(y, exp(f)))", "loss = -log(gamma_q(y, exp(f)))",
        "loss = -log(1 - gamma_p(y, exp(f)))", "loss = -log(beta_p(y, 2, sigmoid(f)))",
        "loss = -log(beta_q(y, 2, sigmoid(f)))", "loss = log_expm1_ratio(f)*y",
        "loss = stirling_error(exp(f))*y"}) {
    for (const double f : {-1.5, 0.01, 2.0}) expect_gradient(compile(text), 2.5, {f});
  }
}

TEST(Derivatives, that_nobody_knows_are_errors_only_where_the_loss_needs_them) {
  EXPECT_THAT(
      [] { compile("loss = y -\n log(1 - gamma_p(exp(f), y))"); },
      ThrowsMessage<Error>(
          "mine.loss:2:10: gamma_p has no derivative in its first argument, which depends on an "
          "output here; the cdf and predictions may use it so, the loss may not"));
  EXPECT_THAT([] { compile("loss = beta_p(2, f, y)"); },
              ThrowsMessage<Error>(
                  ::testing::HasSubstr("beta_p has no derivative in its second argument")));
  EXPECT_NO_THROW(compile("loss = if(gamma_p(exp(f), y) > 0.5, y, f)"));
  EXPECT_NO_THROW(compile("loss = (y - f)^2; mean = f; p = gamma_q(exp(f), 3)"));
  EXPECT_NO_THROW(compile("loss = (y - f)^2; cdf(q) = beta_p(exp(f), 2, q)"));
}

TEST(Complements, of_distribution_functions_keep_the_upper_tail) {
  EXPECT_NEAR(value("1 - gamma_p(2, f)", 0, 60), 61 * std::exp(-60.0),
              1e-12 * 61 * std::exp(-60.0));
  EXPECT_NEAR(value("1 - beta_p(1, 30, f)", 0, 0.9), 1e-30, 1e-42);
}

}  // namespace
}  // namespace softwood
