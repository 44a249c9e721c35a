#include "softwood/compare.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "softwood/error.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

Table counts(int num_rows) {
  std::vector<double> x, years, y;
  for (int i = 0; i < num_rows; ++i) {
    x.push_back(std::sin(i));
    years.push_back(1 + i % 4);
    y.push_back((i * 7) % 5 + (x.back() > 0 ? 3 : 0));
  }
  return Table(std::vector<Column>{
      {.name = "x", .values = x}, {.name = "years", .values = years}, {.name = "y", .values = y}});
}

CompareOptions quick(std::vector<std::string> losses) {
  CompareOptions options{.target = "y", .losses = std::move(losses)};
  options.training.trees = 4;
  options.training.depth = 2;
  options.training.epochs = 2;
  options.training.threads = 1;
  return options;
}

std::vector<std::string> names(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const ComparedLoss& each : comparison.losses) names.push_back(each.loss);
  return names;
}

TEST(Compare, likelihoods_come_first_and_failures_last) {
  const Comparison found =
      compare(counts(200), quick({"nonsense", "squared", "poisson", "normal"}));
  ASSERT_EQ(found.losses.size(), 4u);
  EXPECT_LE(*found.losses[0].nll, *found.losses[1].nll);
  EXPECT_EQ(found.losses[2].loss, "squared");
  EXPECT_FALSE(found.losses[2].nll.has_value());
  EXPECT_THAT(found.losses[3].failure, HasSubstr("no loss 'nonsense'"));
  EXPECT_FALSE(found.losses[3].model.has_value());
}

TEST(Compare, the_rows_are_those_of_hold_out) {
  const Table table = counts(200);
  CompareOptions options = quick({"poisson"});
  options.training.seed = 3;
  const Comparison found = compare(table, options);
  const HeldOut parts = hold_out(table, {.seed = 3, .target = "y"});
  EXPECT_EQ(found.losses[0].evaluation.num_rows, 40u);
  EXPECT_EQ(found.losses[0].model->evaluate(parts.test)[0].metrics,
            found.losses[0].evaluation.metrics);
}

TEST(Compare, another_table_may_be_judged_on) {
  const Table test = counts(30);
  CompareOptions options = quick({"poisson"});
  options.read_test = [&](const Model&) { return test; };
  EXPECT_EQ(compare(counts(200), options).losses[0].evaluation.num_rows, 30u);
}

TEST(Compare, what_one_loss_reads_is_a_feature_of_none) {
  const auto columns = [](const CompareOptions& options) {
    return compare(counts(200), options).losses.back().model->read_as();
  };
  EXPECT_TRUE(columns(quick({"squared"})).contains("years"));
  EXPECT_FALSE(columns(quick({"poisson(exposure=years)", "squared"})).contains("years"));
  CompareOptions named = quick({"poisson(exposure=years)", "squared"});
  named.training.features = {"x", "years"};
  EXPECT_TRUE(columns(named).contains("years"));
}

TEST(Compare, losses_may_have_names) {
  CompareOptions options = quick({"squared", "(y - f)^2"});
  options.names = {"ours", "mine"};
  EXPECT_THAT(names(compare(counts(100), options)), ElementsAre("ours", "mine"));
}

TEST(Compare, the_table_has_a_row_per_loss) {
  const Comparison found = compare(counts(200), quick({"nonsense", "squared", "poisson"}));
  const Table table = found.table();
  EXPECT_EQ(table.num_rows(), 3u);
  EXPECT_EQ(table.column("loss").text(0), "poisson");
  EXPECT_EQ(table.column("nll").values[0], *found.losses[0].nll);
  EXPECT_TRUE(table.column("nll").is_missing(1));
  EXPECT_EQ(table.column("rows").values[1], 40);
  EXPECT_FALSE(table.column("rmse").is_missing(1));
  EXPECT_TRUE(table.column("rmse").is_missing(2));
  EXPECT_TRUE(table.column("failure").is_missing(0));
  EXPECT_THAT(table.column("failure").text(2), HasSubstr("nonsense"));
  EXPECT_THAT(found.text(), HasSubstr("y on 40 rows that no loss has seen"));
  EXPECT_THAT(compare(counts(200), quick({"nonsense"})).text(), IsEmpty());
}

TEST(Compare, the_table_is_told_once_and_every_warning_once) {
  std::vector<std::string> notes, warnings, losses;
  CompareHooks hooks;
  hooks.training.on_note = [&](const std::string& text) { notes.push_back(text); };
  hooks.training.on_warning = [&](const std::string& text) { warnings.push_back(text); };
  hooks.on_loss = [&](std::size_t, const std::string& name) { losses.push_back(name); };
  CompareOptions options = quick({"squared", "poisson"});
  options.training.schedule = "coslog4";
  compare(counts(200), options, hooks);
  EXPECT_THAT(notes, ElementsAre(HasSubstr("200 rows")));
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("four_cycles")));
  EXPECT_THAT(losses, ElementsAre("squared", "poisson"));
}

TEST(Compare, a_warning_that_throws_stops_every_loss) {
  CompareHooks hooks;
  hooks.training.on_warning = [](const std::string& text) { throw Error(text); };
  CompareOptions options = quick({"squared", "poisson"});
  options.training.schedule = "coslog4";
  for (const ComparedLoss& each : compare(counts(200), options, hooks).losses)
    EXPECT_THAT(each.failure, HasSubstr("four_cycles"));
}

TEST(Compare, it_ends_when_a_hook_says_stop) {
  int trained = 0;
  CompareHooks hooks;
  hooks.on_loss = [&](std::size_t, const std::string&) { ++trained; };
  hooks.training.should_stop = [&] { return trained == 2; };
  const Comparison found = compare(counts(200), quick({"squared", "normal", "poisson"}), hooks);
  ASSERT_EQ(found.losses.size(), 2u);
  EXPECT_THAT(found.losses[0].failure, IsEmpty());
  EXPECT_FALSE(found.losses[1].failure.empty());
}

TEST(Compare, an_error_of_on_model_is_the_loss_s_failure) {
  CompareHooks hooks;
  hooks.on_model = [](std::size_t number, const Model&) {
    if (number == 0) throw Error("the disk is full.");
  };
  const Comparison found = compare(counts(200), quick({"squared", "normal"}), hooks);
  EXPECT_EQ(found.losses[0].loss, "normal");
  EXPECT_EQ(found.losses[1].failure, "the disk is full.");
}

TEST(Compare, mistakes_are_named) {
  const auto complaint = [](const CompareOptions& options) {
    try {
      compare(counts(20), options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(complaint({.target = "", .losses = {"squared"}}), HasSubstr("response"));
  EXPECT_THAT(complaint({.target = "y", .losses = {}}), HasSubstr("nothing to compare"));
  EXPECT_THAT(complaint({.target = "y", .losses = {"squared", ""}}), HasSubstr("is empty"));
  EXPECT_THAT(complaint({.target = "z", .losses = {"squared"}}), HasSubstr("no column 'z'"));
  EXPECT_THAT(complaint({.target = "y", .losses = {"squared", "squared"}}), HasSubstr("twice"));
  EXPECT_THAT(complaint({.target = "y", .losses = {"squared"}, .names = {"a", "b"}}),
              HasSubstr("name"));
  CompareOptions with_tasks = quick({"squared"});
  with_tasks.training.tasks = {{.target = "y"}};
  EXPECT_THAT(complaint(with_tasks), HasSubstr("leave out tasks"));
}

}  // namespace
}  // namespace softwood
