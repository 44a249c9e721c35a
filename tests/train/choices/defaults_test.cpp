/// What the help says of defaults is what the recipes do.

#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "options/option_list.h"
#include "options/set_option.h"
#include "train/choices/member_plan.h"
#include "train/choices/recipe.h"
#include "train/choices/settings.h"
#include "train/prepare/examples.h"

namespace softwood {
namespace {

constexpr std::size_t kManyRows = 50000;

TrainOptions options_for(const std::string& recipe, std::size_t num_tasks) {
  TrainOptions options;
  options.recipe = recipe;
  options.tasks.resize(num_tasks, {.target = "y"});
  return options;
}

/// What the help says by the recipe's name.
std::string told_default(const DeclaredOption& option, const std::string& recipe) {
  const bool own = recipe == "paper" && *option.in_paper != '\0';
  return own ? option.in_paper : option.by_default;
}

/// "0.1; narrow trees below 4,000 rows 0.2" begins with a value; "by table size" is none.
std::string first_value(const std::string& text) {
  const std::string first = text.substr(0, text.find_first_of(";,"));
  return first.find(' ') == std::string::npos && first.find(':') == std::string::npos ? first : "";
}

/// All but that the user has said something.
Settings without_marks(Settings settings) {
  settings.counts_trees = false;
  settings.epochs_are_given = false;
  return settings;
}

DeclaredOption declared(const std::string& name) {
  DeclaredOption found;
  const TrainOptions options;
  visit_options(options, [&](const DeclaredOption& option, const auto&) {
    if (name == option.name) found = option;
  });
  return found;
}

TEST(Defaults, saying_what_the_help_says_changes_nothing) {
  const std::set<std::string> decided_elsewhere = {"bins", "valid-fraction", "recipe"};
  for (const std::string recipe : {"default", "paper"}) {
    std::set<std::string> in_words;
    const TrainOptions none;
    visit_options(none, [&](const DeclaredOption& option, const auto&) {
      const std::string told = told_default(option, recipe);
      if (told.empty() || decided_elsewhere.contains(option.name)) return;
      const std::string value = first_value(told);
      if (value.empty()) {
        in_words.insert(option.name);
        return;
      }
      const bool several = option.section == std::string("Several tasks");
      const TrainOptions silent = options_for(recipe, several ? 2 : 1);
      TrainOptions saying = silent;
      set_option(saying, option.name, value);
      EXPECT_TRUE(without_marks(make_settings(saying, kManyRows, true)) ==
                  without_marks(make_settings(silent, kManyRows, true)))
          << recipe << ": " << option.name << " [" << value << "]";
    });
    // The other tests of this file look at these.
    const std::set<std::string> of_default = {"members",    "fine-bins",     "epochs",
                                              "batch-size", "learning-rate", "leaf-learning-rate"};
    const std::set<std::string> of_paper = {"fine-bins", "leaf-learning-rate"};
    EXPECT_EQ(in_words, recipe == "paper" ? of_paper : of_default);
  }
}

TEST(Defaults, fields_that_are_never_empty_hold_what_the_help_says) {
  TrainOptions options;
  visit_options(options, [&](const DeclaredOption& option, auto& field) {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(field)>> ||
                  std::is_same_v<std::decay_t<decltype(field)>, std::string>) {
      const auto before = field;
      if (*option.by_default == '\0') return;
      set_option(options, option.name, option.by_default);
      EXPECT_EQ(field, before) << option.name;
    }
  });
}

TEST(Defaults, a_fifth_of_the_rows_validates) {
  const Table table(std::vector<Column>{{.name = "y", .values = std::vector<double>(100)}});
  std::vector<std::uint32_t> rows(100);
  std::iota(rows.begin(), rows.end(), 0u);
  TrainOptions options = options_for("default", 1);
  const std::size_t silent = split_rows(options, rows, table)[0].validation.size();
  set_option(options, "valid-fraction", declared("valid-fraction").by_default);
  EXPECT_EQ(split_rows(options, rows, table)[0].validation.size(), silent);
}

TEST(Defaults, numbers_of_members_are_in_the_help) {
  const auto members = [](const std::string& recipe, std::size_t num_rows) {
    return settle_members(options_for(recipe, 1), {.num_rows = num_rows, .num_columns = 5})
        .members.value();
  };
  EXPECT_THAT(declared("members").by_default,
              testing::StartsWith(fmt::format("auto: {} or {} for few rows, {} for many",
                                              members("default", 100), members("default", 5000),
                                              members("default", 1000000))));
  EXPECT_EQ(declared("members").in_paper, fmt::format("{}", members("paper", 100)));
}

TEST(Defaults, rates_of_both_kinds_of_trees_are_in_the_help) {
  const Recipe& recipe = recipe_named("default");
  EXPECT_EQ(declared("learning-rate").by_default,
            fmt::format("wide trees {}, narrow {}", recipe.wide.splits, recipe.narrow.splits));
  EXPECT_EQ(recipe.wide.leaves, 1 / 2.0);
  EXPECT_EQ(recipe.narrow.leaves, 1 / 5.0);
  EXPECT_EQ(declared("leaf-learning-rate").by_default,
            std::string("of the splits': wide trees half, narrow a fifth"));
  EXPECT_EQ(recipe_named("paper").wide.leaves, 1);
  EXPECT_EQ(declared("leaf-learning-rate").in_paper, std::string("the same"));
  EXPECT_EQ(declared("decay").by_default,
            fmt::format("{}; narrow trees below 4,000 rows {}", recipe.narrow.decay,
                        default_rates(recipe, true, 3999).decay));
  EXPECT_EQ(default_rates(recipe, true, 4000).decay, recipe.narrow.decay);
  EXPECT_EQ(default_rates(recipe, false, 10).decay, recipe.narrow.decay);
}

TEST(Defaults, limits_by_table_size_are_in_the_help) {
  const Recipe& recipe = recipe_named("default");
  EXPECT_EQ(default_batch_size(recipe, 1), 32u);
  EXPECT_EQ(default_batch_size(recipe, 100000000), 1024u);
  EXPECT_EQ(declared("batch-size").by_default, std::string("32 to 1,024 by table size"));
  EXPECT_EQ(
      declared("fine-bins").by_default,
      fmt::format("{} to {} by table size", default_fine_bins(1), default_fine_bins(100000000)));
}

TEST(Defaults, numbers_of_epochs_are_in_the_help) {
  TrainOptions options = options_for("default", 1);
  const Settings doubling = make_settings(options, 1000, true);
  const double cycles = doubling.epochs / doubling.cycle_epochs;
  options.schedule = "cosine";
  const Settings large = make_settings(options, 10000000, true);
  EXPECT_EQ(make_settings(options, 10, true).epochs, 1000);  // of one step each
  EXPECT_EQ(declared("epochs").by_default,
            fmt::format("doubling: {} times its first cycle, while it gains; other schedules: {}, "
                        "at least 1,000 steps",
                        cycles, large.epochs));
}

TEST(Defaults, several_tasks_have_trees_of_their_own_beside_the_shared) {
  const auto count = [](std::size_t num_tasks) {
    std::size_t trees = 0;
    for (const GroupSettings& group :
         make_settings(options_for("default", num_tasks), kManyRows, true).groups)
      trees += group.num_trees * (group.is_private ? num_tasks : 1);
    return trees;
  };
  EXPECT_EQ(declared("trees").by_default,
            fmt::format("{}, and {} for each of several tasks", count(1), count(3) - count(2)));
}

}  // namespace
}  // namespace softwood
