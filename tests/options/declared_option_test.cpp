#include "options/declared_option.h"

#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "options/option_list.h"

namespace softwood {
namespace {

TEST(Range, knows_which_ends_belong_to_it) {
  EXPECT_TRUE(between(1, 10).contains(1));
  EXPECT_TRUE(between(1, 10).contains(10));
  EXPECT_FALSE(between(1, 10).contains(10.5));
  EXPECT_FALSE(between(1, 10).contains(0));
  EXPECT_TRUE(from_and_below(0, 1).contains(0));
  EXPECT_FALSE(from_and_below(0, 1).contains(1));
  EXPECT_FALSE(kPositive.contains(0));
  EXPECT_TRUE(kPositive.contains(1e-300));
  EXPECT_TRUE(kNotNegative.contains(0));
}

TEST(Range, holds_finite_numbers_only) {
  for (const double number : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (const Range& range : {Range{}, kPositive, kNotNegative, at_least(1), between(0, 1)}) {
      EXPECT_FALSE(range.contains(number)) << range_text(range);
    }
  }
}

TEST(Range, is_said_in_words) {
  EXPECT_EQ(range_text(between(1, 10)), "1 to 10");
  EXPECT_EQ(range_text(between(1e-6, 1e6)), "1e-6 to 1e6");
  EXPECT_EQ(range_text(from_and_below(0, 1)), "at least 0 and below 1");
  EXPECT_EQ(range_text(kPositive), "positive");
  EXPECT_EQ(range_text(kNotNegative), "zero or more");
  EXPECT_EQ(range_text(at_least(2)), "at least 2");
}

TEST(HelpText, has_the_choices_the_range_and_what_holds_without_the_option) {
  constexpr std::array kColours = {Choice{"red"}, Choice{"green", "as grass"}, Choice{"blue"}};
  EXPECT_EQ(
      help_text({.help = "Depth", .by_default = "3", .in_paper = "4", .range = between(1, 10)}),
      "Depth; 1 to 10 [3; paper: 4]");
  EXPECT_EQ(help_text({.help = "Colour", .by_default = "red", .choices = kColours}),
            "Colour: red, green (as grass) or blue [red]");
  EXPECT_EQ(help_text({.help = "Rate", .range = kPositive}), "Rate");
}

TEST(OptionList, no_two_names_are_one_letter_apart) {
  std::vector<std::string> names;
  const TrainOptions options;
  visit_options(
      options, [&](const DeclaredOption& option, const auto&) { names.emplace_back(option.name); });
  for (const std::string& a : names) {
    for (const std::string& b : names) {
      if (a.size() + 1 != b.size()) continue;
      for (std::size_t left_out = 0; left_out < b.size(); ++left_out) {
        std::string shorter = b;
        shorter.erase(left_out, 1);
        EXPECT_NE(shorter, a) << b;
      }
    }
  }
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

}  // namespace
}  // namespace softwood
