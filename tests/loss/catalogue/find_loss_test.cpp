#include "loss/catalogue/find_loss.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loss/catalogue/catalogue.h"
#include "loss/catalogue/foreign_losses.h"
#include "loss/loss_testing.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(FindLoss, reads_names_aliases_and_settings) {
  EXPECT_EQ(find_loss("zip").name, "zero_inflated_poisson");
  EXPECT_EQ(find_loss(" huber ( delta = 2 ) ").settings.at("delta"), LossSetting(2.0));
  EXPECT_EQ(find_loss("poisson(exposure=Exposure)").settings.at("exposure"),
            LossSetting("Exposure"));
  EXPECT_EQ(find_loss("poisson(exposure=\"my col, (x)\")").settings.at("exposure"),
            LossSetting("my col, (x)"));
  EXPECT_EQ(find_loss("general_robust(alpha=-inf, c=1e-3)").settings.at("alpha"),
            LossSetting(-HUGE_VAL));
  EXPECT_TRUE(find_loss("huber()").settings.empty());
}

TEST(FindLoss, what_was_found_is_not_parsed_again) {
  ParsedLoss found = find_loss("huber(2)");
  found.text = "no loss at all (";
  EXPECT_EQ(evaluate_at(LossProgram::compile(found), 0, {10}).loss, 2 * 10 - 2);
  const LossSource read_again = found;
  EXPECT_THROW(LossProgram::compile(read_again), Error);
}

TEST(FindLoss, texts_that_are_no_utf_8_are_read_as_latin_1) {
  const std::string path = testing::TempDir() + "f\xFCr.loss";
  std::ofstream(path) << "# f\xFCr\noutputs f\nloss = (y - f)^2\n";
  const LossSource file = find_loss("@" + path);
  EXPECT_EQ(file.name, "f\xC3\xBCr.loss");
  EXPECT_THAT(file.text, HasSubstr("# f\xC3\xBCr\n"));
  std::filesystem::remove(path);
  EXPECT_THAT(find_loss("# f\xFCr\n(y - f)^2*h\xF6he").text, HasSubstr("h\xC3\xB6he"));
  EXPECT_EQ(find_loss("poisson(exposure='h\xF6he')").settings.at("exposure"),
            LossSetting("h\xC3\xB6he"));
}

TEST(FindLoss, a_byte_order_mark_is_skipped) {
  const std::string path = testing::TempDir() + "marked.loss";
  std::ofstream(path) << "\xEF\xBB\xBFoutputs f\nloss = (y - f)^2\n";
  EXPECT_EQ(program_of("@" + path).outputs().size(), 1u);
  std::filesystem::remove(path);
  EXPECT_EQ(program_of("\xEF\xBB\xBF(y - f)^2").outputs().size(), 1u);
}

TEST(FindLoss, a_nul_byte_is_pointed_at) {
  const std::string with_nul("(y -\n f)^2\0 + oops", 18);
  EXPECT_THAT([&] { find_loss(with_nul); },
              ThrowsMessage<Error>(HasSubstr("loss:2:6: a NUL byte")));
  EXPECT_THAT([] { find_loss("(y - f)^2 \x01"); }, ThrowsMessage<Error>(HasSubstr("\\x01")));
}

TEST(FindLoss, reads_settings_by_position) {
  EXPECT_EQ(find_loss("huber(2)").settings.at("delta"), LossSetting(2.0));
  EXPECT_EQ(find_loss("poisson(Exposure)").settings.at("exposure"), LossSetting("Exposure"));
  EXPECT_EQ(find_loss("poisson('f')").settings.at("exposure"), LossSetting("f"));
  const LossSource tobit = find_loss("tobit(-1, upper=inf)");
  EXPECT_EQ(tobit.settings.at("lower"), LossSetting(-1.0));
  EXPECT_EQ(tobit.settings.at("upper"), LossSetting(HUGE_VAL));
  EXPECT_EQ(program_of("mixture_normal(3)").outputs().size(), 9u);
}

TEST(FindLoss, a_vector_takes_what_is_left) {
  const LossSetting levels = std::vector<double>{0.1, 0.5, 0.9};
  for (const char* spec : {"multi_quantile(0.1, 0.5, 0.9)", "multi_quantile(levels=[0.1,0.5, 0.9])",
                           "multi_quantile([0.1, 0.5, 0.9])"}) {
    EXPECT_EQ(find_loss(spec).settings.at("levels"), levels) << spec;
  }
  EXPECT_EQ(program_of("multi_quantile(0.5)").outputs().size(), 1u);
}

TEST(FindLoss, settings_that_do_not_fit_are_errors) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"huber(1, 2)", "huber: 2 settings, but this loss has 1 parameter: delta"},
      {"tobit(1, 2, 3)", "tobit: 3 settings, but this loss has 2 parameters: lower, upper"},
      {"squared(2)", "squared: this loss has no parameters to set"},
      {"huber(2, delta=3)", "huber: the parameter 'delta' is set twice"},
      {"huber(delta=3, delta=4)", "huber: the parameter 'delta' is set twice"},
      {"tobit(upper=3, 1)",
       "tobit: a setting without a name stands after one with a name; settings by position come "
       "first"},
      {"multi_quantile(0.1, width)",
       "multi_quantile: the parameter 'levels' needs numbers, as in multi_quantile(0.1, 0.9)"},
  };
  for (const auto& [spec, message] : cases) {
    EXPECT_THAT([&] { find_loss(spec); }, ThrowsMessage<Error>(message)) << spec;
  }
  EXPECT_THAT([] { program_of("multi_quantile(levels=[])"); },
              ThrowsMessage<Error>(HasSubstr("'levels' needs at least one number")));
  EXPECT_THAT([] { program_of("multi_quantile(width)"); },
              ThrowsMessage<Error>(HasSubstr("'levels' needs numbers, not the column 'width'")));
  EXPECT_THAT([] { program_of("mixture_normal(width)"); },
              ThrowsMessage<Error>(HasSubstr("the size of a vector must be a number")));
}

TEST(FindLoss, a_call_with_y_or_f_is_a_formula) {
  EXPECT_EQ(evaluate_at(program_of("max(y, f)"), 3, {1}).loss, 3);
  EXPECT_EQ(evaluate_at(program_of("max([y, f, 4])"), 3, {1}).loss, 4);
  EXPECT_EQ(program_of("sum(f*[1, 2, 3]) + y", 3).outputs().size(), 3u);
  EXPECT_THAT([] { find_loss("maxx(y, f)"); },
              ThrowsMessage<Error>("formula:1:1: unknown function 'maxx'; did you mean 'max'?"));
}

TEST(FindLoss, completes_a_formula_to_a_program) {
  EXPECT_EQ(find_loss("(y - f)^2").text, "outputs f\nloss = (y - f)^2\nmean = f\n");
  EXPECT_EQ(find_loss("abs(y - f)").text, "outputs f\nloss = abs(y - f)\nmean = f\n");
  EXPECT_EQ(find_loss("logsumexp(f) - f[y]").text,
            "outputs f[classes]\nloss = logsumexp(f) - f[y]\nprobability = softmax(f)\n");
}

TEST(FindLoss, several_lines_need_no_outputs_line) {
  const LossProgram program = program_of("r = y - f\nloss = r^2");
  EXPECT_EQ(program.outputs().size(), 1u);
  EXPECT_EQ(program.predictions()[0].name, "mean");
  EXPECT_EQ(evaluate_at(program, 3, {1}).loss, 4);
}

TEST(FindLoss, statements_may_share_a_line) {
  EXPECT_EQ(evaluate_at(program_of("param k = 2; loss = k*(y - f)^2"), 3, {1}).loss, 8);
}

TEST(FindLoss, a_formula_equals_its_built_in_twin_bit_by_bit) {
  for (const double f : {0.1, -3.7, 1e5}) {
    const Evaluated one = evaluate_at(program_of("(y - f)^2"), 0.3, {f});
    const Evaluated other = evaluate_at(program_of("squared"), 0.3, {f});
    EXPECT_EQ(one.loss, other.loss);
    EXPECT_EQ(one.gradient, other.gradient);
  }
}

TEST(FindLoss, unknown_names_suggest_the_nearest) {
  EXPECT_THAT([] { find_loss("squred"); },
              ThrowsMessage<Error>(
                  HasSubstr("no loss 'squred' in the catalogue; did you mean 'squared'?")));
  EXPECT_THAT([] { find_loss("huber(dleta=2)"); },
              ThrowsMessage<Error>("huber: no parameter 'dleta'; did you mean 'delta'?"));
  EXPECT_THAT([] { find_loss("general_robust(shape=2)"); },
              ThrowsMessage<Error>("general_robust: no parameter 'shape'; this loss has alpha, c"));
  EXPECT_THAT([] { find_loss("squared(k=2)"); },
              ThrowsMessage<Error>("squared: no parameter 'k'; this loss has none"));
  EXPECT_THAT([] { find_loss("lgo(y - f)"); },
              ThrowsMessage<Error>("formula:1:1: unknown function 'lgo'; did you mean 'log'?"));
}

TEST(FindLoss, names_of_other_libraries_are_answered_with_ours) {
  for (const loss::ForeignLoss& each : loss::foreign_losses()) {
    EXPECT_NO_THROW(find_loss(each.ours)) << each.ours;
    const std::string spec(each.name);
    const bool is_ours_too =
        std::ranges::any_of(loss_catalogue(), [&](const CatalogueEntry& entry) {
          return entry.name == spec || std::ranges::count(entry.aliases, spec) > 0;
        });
    EXPECT_FALSE(is_ours_too) << spec;
    EXPECT_THAT([&] { find_loss(spec); },
                ThrowsMessage<Error>(HasSubstr(
                    fmt::format("there is no loss '{}'; {}'s is called '{}' here", each.name,
                                loss::find_foreign_loss(spec)->library, each.ours))));
  }
  EXPECT_THAT([] { find_loss("rmse"); }, ThrowsMessage<Error>(HasSubstr("called 'squared' here")));
  EXPECT_THAT([] { find_loss("Quantile:alpha=0.9"); },
              ThrowsMessage<Error>(HasSubstr("CatBoost's is called 'quantile' here")));
  EXPECT_EQ(find_loss("mse").name, "squared");
}

TEST(FindLoss, python_as_text_is_called_that) {
  for (const char* spec : {"lambda y, f: (y - f)**2", "def mine(y, f):\n  return (y - f)**2"}) {
    EXPECT_THAT([&] { find_loss(spec); }, ThrowsMessage<Error>(HasSubstr("is Python as text")));
  }
  EXPECT_THAT(find_loss("lambda * (y - f)^2").text, HasSubstr("lambda * (y - f)^2"));
  EXPECT_NO_THROW(find_loss("# a remark: with a colon\nloss = (y - f)^2"));
}

TEST(FindLoss, a_formula_must_use_y_and_f) {
  EXPECT_THAT([] { find_loss("y^2"); }, ThrowsMessage<Error>(HasSubstr("does not use f")));
  EXPECT_THAT([] { find_loss("f^2"); }, ThrowsMessage<Error>(HasSubstr("does not use y")));
  EXPECT_THAT([] { find_loss("  "); }, ThrowsMessage<Error>(HasSubstr("the loss is empty")));
}

class LossFile : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::temp_directory_path() /
            ("softwood_" + std::to_string(::getpid()) + "_mine.loss");
    std::ofstream(path_) << "param k = 1\nloss = k*(y - f)^2\n";
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::filesystem::path path_;
};

TEST_F(LossFile, is_read_with_settings_or_without) {
  EXPECT_EQ(evaluate_at(program_of("@" + path_.string()), 3, {1}).loss, 4);
  EXPECT_EQ(evaluate_at(program_of("@" + path_.string() + "(k=3)"), 3, {1}).loss, 12);
  EXPECT_EQ(find_loss("@" + path_.string()).name, path_.filename().string());
}

TEST_F(LossFile, that_cannot_be_read_is_an_error_with_its_path) {
  EXPECT_THAT([] { find_loss("@/nowhere/mine.loss"); },
              ThrowsMessage<Error>(HasSubstr("/nowhere/mine.loss")));
}

TEST(FindLoss, a_file_name_that_no_system_takes_is_an_error_like_any_other) {
  EXPECT_THROW(find_loss("@" + std::string(5000, 'x')), Error);
  EXPECT_THROW(find_loss("\xEF\xBB\xBF@" + std::string(5000, 'x')), Error);
}

}  // namespace
}  // namespace softwood
