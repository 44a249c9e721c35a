#include "options/set_option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "options/option_list.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TrainOptions with(const char* name, const char* text) {
  TrainOptions options;
  set_option(options, name, text);
  return options;
}

std::string complaint(const char* name, const char* text) {
  try {
    with(name, text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SetOption, texts_become_values_of_the_field) {
  EXPECT_EQ(with("depth", "5").depth, 5);
  EXPECT_EQ(with("learning-rate", "0.25").learning_rate, 0.25);
  EXPECT_EQ(with("learning-rate", "1e-3").learning_rate, 1e-3);
  EXPECT_EQ(with("learning-rate", "+2").learning_rate, 2);
  EXPECT_EQ(with("members", "7").members, 7);
  EXPECT_EQ(with("weight", "w, v").weight, "w, v");
  EXPECT_EQ(with("share", "soft").share, "soft");
  EXPECT_EQ(with("seed", "18446744073709551615").seed, 18446744073709551615u);
  EXPECT_THAT(with("drop", "id,name").drop, ElementsAre("id", "name"));
  EXPECT_THAT(with("drop", ",id,").drop, ElementsAre("id"));
}

TEST(SetOption, auto_is_what_holds_where_nothing_is_said) {
  TrainOptions options;
  options.members = 7;
  options.depth = 4;
  options.balance = true;
  options.share = "soft";
  for (const char* name : {"members", "depth", "balance", "share"})
    set_option(options, name, "auto");
  EXPECT_EQ(options.members, std::nullopt);
  EXPECT_EQ(options.depth, std::nullopt);
  EXPECT_EQ(options.balance, std::nullopt);
  EXPECT_EQ(options.share, std::nullopt);
}

TEST(SetOption, messages_name_auto_where_it_is_understood) {
  EXPECT_EQ(complaint("members", "many"),
            "members is 'many'; it must be a whole number below 2147483648, or auto.");
  EXPECT_EQ(complaint("members", "0"), "members is 0, but must be 1 to 100, or auto.");
  EXPECT_THAT(complaint("share", "herd"), HasSubstr("use hard, partly, soft, none or auto."));
  EXPECT_THAT(complaint("share", "autp"), HasSubstr("Did you mean 'auto'?"));
  TrainOptions options;
  visit_options(options, [](const DeclaredOption& option, const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    const bool is_list = std::is_same_v<Field, std::vector<std::string>>;
    if (is_list || (std::is_same_v<Field, std::string> && option.choices.empty())) return;
    const bool names_it = complaint(option.name, "?").find("auto") != std::string::npos;
    EXPECT_EQ(names_it, option.knows_auto) << option.name;
  });
}

TEST(SetOption, auto_is_no_value_of_an_option_that_always_has_one) {
  EXPECT_THAT(complaint("threads", "auto"), HasSubstr("whole number"));
  EXPECT_EQ(complaint("clip", "auto"), "clip is 'auto'; it must be a number.");
  EXPECT_THAT(complaint("recipe", "auto"), HasSubstr("use default or paper"));
}

TEST(SetOption, truth_has_the_usual_words) {
  for (const char* yes : {"true", "yes", "on", "1"}) EXPECT_EQ(with("balance", yes).balance, true);
  for (const char* no : {"false", "no", "off", "0"}) EXPECT_EQ(with("balance", no).balance, false);
  EXPECT_EQ(complaint("balance", "maybe"),
            "balance is 'maybe'; it must be true or false, or auto.");
}

TEST(SetOption, underscores_are_dashes) {
  EXPECT_EQ(with("learning_rate", "0.5").learning_rate, 0.5);
}

TEST(SetOption, texts_of_another_kind_are_refused) {
  EXPECT_EQ(complaint("columns-per-tree", "x"),
            "columns-per-tree is 'x'; it must be a whole number below 2147483648.");
  for (const char* text : {"", "3.5", "3x", " 3", "99999999999", "0x10"}) {
    EXPECT_THAT(complaint("depth", text), HasSubstr("whole number")) << text;
  }
  EXPECT_EQ(complaint("clip", "little"), "clip is 'little'; it must be a number.");
  for (const char* text : {"-1", "18446744073709551616", "1.5"}) {
    EXPECT_THAT(complaint("seed", text), HasSubstr("from 0 to 18446744073709551615")) << text;
  }
}

TEST(SetOption, values_out_of_range_are_refused) {
  EXPECT_EQ(complaint("depth", "13"), "depth is 13, but must be 1 to 12, or auto.");
  EXPECT_EQ(complaint("valid-fraction", "1"),
            "valid-fraction is 1, but must be at least 0 and below 1, or auto.");
  EXPECT_EQ(complaint("learning-rate", "0"), "learning-rate is 0, but must be positive, or auto.");
  EXPECT_EQ(complaint("decay", "-1"), "decay is -1, but must be zero or more, or auto.");
  EXPECT_EQ(complaint("epochs", "0"), "epochs is 0, but must be at least 1, or auto.");
  for (const char* text : {"nan", "inf"}) EXPECT_THAT(complaint("decay", text), HasSubstr("decay"));
}

TEST(SetOption, a_refused_text_leaves_the_option_as_it_was) {
  TrainOptions options;
  options.depth = 4;
  EXPECT_THROW(set_option(options, "depth", "x"), Error);
  EXPECT_THROW(set_option(options, "depth", "13"), Error);
  EXPECT_EQ(options.depth, 4);
  EXPECT_THROW(set_option(options, "epochs", "0"), Error);
  EXPECT_EQ(options.epochs, std::nullopt);
}

TEST(SetOption, unknown_words_are_answered_with_the_known_and_the_nearest) {
  EXPECT_EQ(complaint("schedule", "cosin"),
            "schedule 'cosin' is unknown: use constant, cosine, four_cycles, doubling or auto. Did "
            "you mean 'cosine'?");
  EXPECT_EQ(complaint("recipe", "zzzzzzz"), "recipe 'zzzzzzz' is unknown: use default or paper.");
  EXPECT_THAT(complaint("components", "seperate"), HasSubstr("Did you mean 'separate'?"));
  EXPECT_THAT(complaint("activation", "relu"), HasSubstr("use logistic, smooth_step or auto"));
  EXPECT_THAT(complaint("share", "herd"), HasSubstr("Did you mean 'hard'?"));
}

TEST(SetOption, unknown_options_are_answered_with_the_nearest) {
  EXPECT_EQ(complaint("learning-rat", "1"),
            "there is no option 'learning-rat'. Did you mean 'learning-rate'?");
  EXPECT_EQ(complaint("qqqqqqqqq", "1"), "there is no option 'qqqqqqqqq'.");
}

TEST(SetOption, every_option_takes_its_default) {
  const TrainOptions options;
  visit_options(options, [](const DeclaredOption& option, const auto&) {
    // "3; 4 below …": the first word, if it is a value.
    const std::string text = option.by_default;
    const std::string first = text.substr(0, text.find_first_of(";,"));
    if (first.empty() || first.find(' ') != std::string::npos) return;
    EXPECT_EQ(complaint(option.name, first.c_str()), "");
  });
}

}  // namespace
}  // namespace softwood
