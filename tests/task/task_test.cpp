#include "task/task.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "softwood/error.h"
#include "task/responses.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Column numbers(std::string name, std::vector<double> values) {
  return {.name = std::move(name), .values = std::move(values)};
}
Column texts(std::string name, std::vector<std::string> levels, std::vector<std::int32_t> codes) {
  return {.name = std::move(name),
          .kind = ColumnKind::categorical,
          .codes = std::move(codes),
          .levels = std::move(levels)};
}

Task task_for(const Table& table, std::string target, std::string loss = "") {
  return make_task({.target = std::move(target), .loss = std::move(loss)}, {&table});
}

template <class Work>
std::string error_of(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

const double kMissing = std::nan("");

TEST(Task, without_a_loss_the_response_decides) {
  const Table table({texts("two", {"b", "a"}, {0, 1, 0, -1}),
                     texts("three", {"x", "y", "z"}, {0, 1, 2, 0}), numbers("flag", {0, 1, 1, 0}),
                     numbers("amount", {1.5, 2, 3, kMissing})});
  EXPECT_EQ(task_for(table, "two").program.source().name, "logistic");
  EXPECT_EQ(task_for(table, "three").program.source().name, "softmax");
  EXPECT_EQ(task_for(table, "flag").program.source().name, "logistic");
  EXPECT_EQ(task_for(table, "amount").program.source().name, "squared");
}

TEST(Task, counts_in_stopping_as_in_training_unless_told_otherwise) {
  const Table table({numbers("y", {1.5, 2, 3})});
  const auto weights = [&](const TaskOptions& options) {
    const Task task = make_task(options, {&table});
    return std::pair(task.weight, task.stop_weight);
  };
  EXPECT_EQ(weights({.target = "y"}), std::pair(1.0, 1.0));
  EXPECT_EQ(weights({.target = "y", .weight = 3}), std::pair(3.0, 3.0));
  EXPECT_EQ(weights({.target = "y", .weight = 3, .stop_weight = 0.5}), std::pair(3.0, 0.5));
}

TEST(Task, labels_are_in_order_and_responses_are_their_numbers) {
  const Table table(
      {texts("two", {"b", "a"}, {0, 1, 0, -1}), numbers("class", {10, 9, 10, kMissing})});
  const Task text = task_for(table, "two");
  EXPECT_THAT(text.labels, ElementsAre("a", "b"));
  const std::vector<double> y = read_responses(text, table).y;
  EXPECT_THAT(std::vector<double>(y.begin(), y.begin() + 3), ElementsAre(1, 0, 1));
  EXPECT_TRUE(std::isnan(y[3]));
  EXPECT_THAT(task_for(table, "class", "softmax").labels, ElementsAre("9", "10"));
}

TEST(Task, a_loss_that_does_not_fit_the_response_says_what_does) {
  const Table table({texts("three", {"x", "y", "z"}, {0, 1, 2}), texts("one", {"x"}, {0, 0, 0}),
                     texts("mixed", {"1", "twelve", "3"}, {0, 1, 2})});
  EXPECT_THAT(error_of([&] { task_for(table, "three", "logistic"); }), HasSubstr("softmax"));
  EXPECT_THAT(error_of([&] { task_for(table, "one", "logistic"); }), HasSubstr("only 'x'"));
  EXPECT_THAT(error_of([&] { task_for(table, "mixed", "squared"); }),
              HasSubstr("data row 2: column 'mixed' holds 'twelve'"));
}

TEST(Task, the_columns_of_a_loss_must_be_there_and_known) {
  const Table table({numbers("y", {1, 2, kMissing}), numbers("years", {1, kMissing, kMissing}),
                     texts("word", {"a"}, {0, 0, 0})});
  const auto read = [&](const char* loss) {
    return error_of([&] { read_responses(task_for(table, "y", loss), table); });
  };
  EXPECT_THAT(read("poisson(exposure=yeers)"), HasSubstr("Did you mean 'years'?"));
  EXPECT_THAT(read("poisson(exposure=years)"), HasSubstr("data row 2: column 'years' is missing"));
  EXPECT_THAT(read("poisson(exposure=word)"), HasSubstr("holds text"));
}

TEST(Task, a_broken_requirement_names_row_value_and_settings) {
  const Table table({numbers("y", {1, -2})});
  EXPECT_THAT(error_of([&] { read_responses(task_for(table, "y", "poisson"), table); }),
              HasSubstr("data row 2: y = -2 breaks the requirement"));
  EXPECT_THAT(error_of([&] { read_responses(task_for(table, "y", "quantile(tau=2)"), table); }),
              HasSubstr("with tau = 2"));
}

}  // namespace
}  // namespace softwood
