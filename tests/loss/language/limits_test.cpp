// Whatever the text, compiling it ends soon: with a program, or with an error that names the limit.
#include "loss/language/limits.h"

#include <chrono>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loss/loss_testing.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

LossProgram compile(const std::string& text, std::size_t classes = 0) {
  return LossProgram::compile({.name = "mine.loss", .text = text, .settings = {}}, classes);
}

std::string repeated(const std::string& part, int count) {
  std::string text;
  for (int k = 0; k < count; ++k) text += part;
  return text;
}

/// part(0), part(1), …, which make a text together.
template <class Part>
std::string numbered(int count, Part part) {
  std::string text;
  for (int k = 0; k < count; ++k) text += part(k);
  return text;
}

/// The message of the refusal; "" if the text compiles. Ten times what a quiet machine needs.
std::string refusal(const std::string& text) {
  const auto start = std::chrono::steady_clock::now();
  std::string message;
  try {
    compile(text);
  } catch (const Error& error) {
    message = error.what();
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), 20.0) << text.substr(0, 200);
  return message;
}

TEST(LossLimits, expressions_are_nested_so_deep_and_no_deeper) {
  const auto deep = HasSubstr("the limit is 200 brackets or signs in each other");
  for (const char* part : {"(", "-", "f^", "exp(", "[", "f[", "if(y > 0, "})
    EXPECT_THAT(refusal("loss = " + repeated(part, 20000)), deep) << part;
  EXPECT_THAT(refusal("require " + repeated("not ", 20000) + "y > 0\nloss = f"), deep);
  EXPECT_EQ(refusal("loss = " + repeated("(", 90) + "f" + repeated(")", 90)), "");
}

TEST(LossLimits, operations_stand_so_high_on_top_of_each_other_and_no_higher) {
  const auto high = HasSubstr("the limit is 1000 operations on top of each other");
  EXPECT_THAT(refusal("outputs f[2]\nloss = f" + repeated("[0]", 80000)), high);
  EXPECT_THAT(refusal("loss = f" + repeated(" + y", 60000)), high);
  EXPECT_THAT(refusal("loss = f\nrequire y > 0" + repeated(" and y > 0", 20000)), high);
  const std::string chains = repeated("*y", 500) + repeated("+y", 500) + ")";
  EXPECT_THAT(refusal("loss = " + repeated("(", 90) + "f" + repeated(chains, 90)), high);
  EXPECT_EQ(refusal("loss = f" + repeated(" + y", 900)), "");
}

TEST(LossLimits, texts_are_so_long_and_no_longer) {
  EXPECT_THAT(refusal("loss = f  #" + repeated(" ", loss::kMaxTextBytes)),
              HasSubstr("bytes; the limit is 262144"));
  EXPECT_THAT(refusal(repeated("unit f = 1\n", 10001) + "loss = f"),
              HasSubstr("more than 10000 statements, which is the limit"));
}

TEST(LossLimits, vectors_are_so_large_and_no_larger) {
  const auto large = HasSubstr("components; the limit is 4096");
  EXPECT_THAT(refusal("outputs f[4097]\nloss = sum(f)"), large);
  EXPECT_THAT(refusal("loss = f + sum(range(1e9))"), large);
  EXPECT_THAT(
      refusal(
          "_a0 = f\n" +
          numbered(40, [](int k) { return fmt::format("_a{} = [_a{}, _a{}]\n", k + 1, k, k); }) +
          "loss = f"),
      large);
  EXPECT_THAT(refusal("outputs f[4000], g[4000]\nloss = sum(f) + sum(g)"),
              HasSubstr("more than 4096 outputs"));
  EXPECT_THAT(
      refusal("outputs f[4096]\n" + numbered(5, [](int k) { return fmt::format("p{} = f\n", k); }) +
              "loss = sum(f)"),
      HasSubstr("more than 20000 components"));
}

TEST(LossLimits, a_loss_reads_so_many_columns_and_no_more) {
  const auto columns = [](int count) {
    return numbered(count, [](int k) { return fmt::format("_s{} = c{}\n", k, k); });
  };
  EXPECT_EQ(refusal(columns(9999) + "loss = f - y"), "");
  EXPECT_THAT(
      refusal(numbered(3,
                       [](int part) {
                         return fmt::format("_v{} = [", part) +
                                numbered(3999,
                                         [&](int k) { return fmt::format("c{}_{},", part, k); }) +
                                "1]\n";
                       }) +
              "loss = f"),
      HasSubstr("more than 10000 columns"));
}

TEST(LossLimits, what_takes_too_many_steps_is_refused) {
  const auto slow = AllOf(HasSubstr("mine.loss: "), HasSubstr("more than 800000 steps"));
  EXPECT_THAT(refusal("outputs f[4000]\nloss = sum(softmax(f)^2)"), slow);
  EXPECT_THAT(refusal("outputs f[4000]\nloss = 0" +
                      numbered(900, [](int k) { return fmt::format(" + f[y - {}]", k); })),
              slow);
  EXPECT_THAT(
      refusal("outputs f[4000]\nloss = 0" +
              numbered(900, [](int k) { return fmt::format(" + logsumexp(f*{})", k + 2); })),
      slow);
  EXPECT_THAT(refusal("loss = f" + repeated(" + sum(lgamma(range(4000)))", 900)), slow);
}

TEST(LossLimits, names_of_names_cost_no_more_than_their_lines) {
  const auto chain = [](const char* first, const char* line, int count) {
    return "_a0 = " + std::string(first) + "\n" + numbered(count, [&](int k) {
             return fmt::format(fmt::runtime(line), k + 1, k, k) + "\n";
           });
  };
  const std::string last = "loss = log(_a5000) - y";
  EXPECT_EQ(refusal(chain("sigmoid(f)", "_a{} = _a{}*_a{}", 5000) + last), "");
  EXPECT_EQ(refusal(chain("1 + exp(f)", "_a{} = _a{} + _a{}", 5000) + last), "");
  EXPECT_EQ(refusal(chain("sigmoid(f)", "_a{} = if(y > 0, _a{}, sigmoid(_a{}))", 5000) + last), "");
  EXPECT_EQ(refusal(chain("y", "_a{} = _a{}*sigmoid(f + {})", 5000) + last), "");
}

TEST(LossLimits, two_thousand_classes_are_no_trouble) {
  const LossProgram program = program_of("softmax", 2000);
  EXPECT_EQ(program.outputs().size(), 2000u);
  EXPECT_NEAR(evaluate_at(program, 7, std::vector<double>(2000, 0.5)).loss, std::log(2000.0),
              1e-12);
}

TEST(LossLimits, control_characters_are_shown_not_sent) {
  using std::string_literals::operator""s;
  EXPECT_EQ(refusal("loss = f + \0 1"s), "mine.loss:1:12: unexpected character '\\x00'");
  EXPECT_THAT(refusal("loss = f + `a\x1b[2J`[0]"), Not(HasSubstr("\x1b")));
  EXPECT_THAT(refusal("_a = `b\0c`\n`b\0c` = 1"s), Not(HasSubstr("\0"s)));
}

}  // namespace
}  // namespace softwood
