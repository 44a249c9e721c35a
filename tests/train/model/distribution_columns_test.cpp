#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_table.h"
#include "softwood/error.h"
#include "softwood/model.h"
#include "softwood/train.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The cdf, and nothing else, reads the column x2.
constexpr const char* kShifted =
    "outputs f; loss = (y - f)^2; mean = f; cdf(q) = normal_cdf(q - f - 0*x2)";

std::string complaint(const Model& model, const Table& table, const PredictOptions& options) {
  try {
    model.predict(table, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(DistributionColumns, are_named_after_what_was_asked_for) {
  const Table table = synthetic_table(200);
  const Model model = train(table, quick_options("y", "normal"));
  const Predictions predicted = model.predict(table, {.quantiles = {0.05, 0.5},
                                                      .intervals = {0.9},
                                                      .prob_above = {3, -0.5},
                                                      .samples = 2,
                                                      .moments = true});
  EXPECT_THAT(predicted.table().names(),
              ElementsAre("mean", "sd", "variance", "quantile_0.05", "quantile_0.5", "lower_0.9",
                          "upper_0.9", "above_3", "above_-0.5", "sample_1", "sample_2"));
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    EXPECT_EQ(predicted["lower_0.9"][row], predicted["quantile_0.05"][row]);
    EXPECT_NEAR(predicted["quantile_0.5"][row], predicted["mean"][row], 1e-9);
    EXPECT_DOUBLE_EQ(predicted["variance"][row], predicted["sd"][row] * predicted["sd"][row]);
  }
}

TEST(DistributionColumns, are_not_there_unless_asked_for) {
  const Table table = synthetic_table(200);
  const Model model = train(table, quick_options("y", "normal"));
  EXPECT_THAT(model.predict(table, PredictOptions{}).table().names(), ElementsAre("mean", "sd"));
}

TEST(DistributionColumns, of_several_tasks_are_of_those_that_have_a_distribution) {
  const Table table = synthetic_table(200);
  TrainOptions options = quick_options("y", "normal");
  options.tasks.push_back({.target = "half", .loss = "squared"});
  const Model model = train(table, options);
  std::vector<std::string> notes;
  const Predictions predicted = model.predict(
      table,
      {.quantiles = {0.5}, .on_note = [&](const std::string& text) { notes.push_back(text); }});
  EXPECT_THAT(predicted.table().names(),
              ElementsAre("y.mean", "y.sd", "y.quantile_0.5", "half.mean"));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("'squared' of 'half'")));
}

TEST(DistributionColumns, a_loss_without_cdf_is_told_with_losses_that_have_one) {
  const Table table = synthetic_table(200);
  const std::string text =
      complaint(train(table, quick_options("y", "squared")), table, {.quantiles = {0.5}});
  EXPECT_THAT(text, HasSubstr("the loss 'squared' of 'y' states no distribution"));
  EXPECT_THAT(text, HasSubstr("normal"));
  EXPECT_THAT(complaint(train(table, quick_options("label")), table, {.samples = 1}),
              HasSubstr("'label' is a class"));
}

TEST(DistributionColumns, values_out_of_range_are_refused) {
  const Table table = synthetic_table(200);
  const Model model = train(table, quick_options("y", "normal"));
  for (const double level : {0.0, 1.0, 1.5, -0.1, std::nan("")}) {
    EXPECT_THAT(complaint(model, table, {.quantiles = {level}}), HasSubstr("above 0 and below 1"));
    EXPECT_THAT(complaint(model, table, {.intervals = {level}}), HasSubstr("above 0 and below 1"));
  }
  EXPECT_THAT(complaint(model, table, {.samples = -1}), HasSubstr("0 or more"));
  EXPECT_THAT(complaint(model, table, {.prob_above = {std::nan("")}}), HasSubstr("no number"));
}

TEST(DistributionColumns, a_column_that_only_the_cdf_reads_is_needed_only_then) {
  const Table table = synthetic_table(200);
  TrainOptions options = quick_options("count", kShifted);
  options.features = {"x1", "city"};
  // A missing cell of a column that the loss reads is an error in training.
  std::vector<Column> columns = table.columns();
  for (Column& column : columns) {
    if (column.name == "x2") std::fill(column.values.begin(), column.values.end(), 1.0);
  }
  const Table whole(columns);
  const Model model = train(whole, options);
  std::erase_if(columns, [](const Column& column) { return column.name == "x2"; });
  const Table without(columns);
  EXPECT_NO_THROW(model.predict(without));
  EXPECT_THAT(complaint(model, without, {.quantiles = {0.5}}), HasSubstr("x2"));
  EXPECT_FALSE(model.read_as().contains("x2"));
  EXPECT_TRUE(model.read_as(ColumnsFor::distributions).contains("x2"));
  EXPECT_NO_THROW(model.predict(whole, {.quantiles = {0.5}}));
}

TEST(DistributionEvaluation, a_loss_with_a_cdf_gets_scores_and_a_histogram) {
  const Table table = synthetic_table(400);
  const Model model = train(table, quick_options("y", "normal"));
  const Evaluation evaluation = model.evaluate(table)[0];
  std::vector<std::string> names;
  for (const auto& [name, value] : evaluation.metrics) names.push_back(name);
  EXPECT_THAT(names, testing::IsSupersetOf({"crps", "coverage_50", "coverage_90"}));
  EXPECT_EQ(evaluation.pit_histogram.size(), 10u);
  const Evaluation plain = train(table, quick_options("y", "squared")).evaluate(table)[0];
  EXPECT_TRUE(plain.pit_histogram.empty());
  for (const auto& [name, value] : plain.metrics) EXPECT_NE(name, "crps");
}

TEST(DistributionEvaluation, rows_without_a_response_count_nowhere) {
  const Table table = synthetic_table(400);
  const Model model = train(table, quick_options("half", "normal"));
  std::vector<Column> columns = table.columns();
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < 400; row += 2) kept.push_back(row);
  for (Column& column : columns) {
    Column picked = column;
    picked.values.clear();
    picked.codes.clear();
    for (const std::size_t row : kept) {
      if (column.kind == ColumnKind::categorical) {
        picked.codes.push_back(column.codes[row]);
      } else {
        picked.values.push_back(column.values[row]);
      }
    }
    column = picked;
  }
  const Evaluation all = model.evaluate(table)[0], present = model.evaluate(Table(columns))[0];
  EXPECT_EQ(all.num_rows, 200u);
  EXPECT_EQ(all.num_table_rows, 400u);
  EXPECT_EQ(all.metrics, present.metrics);
  EXPECT_EQ(all.pit_histogram, present.pit_histogram);
}

TEST(DistributionEvaluation, tasks_whose_response_is_absent_are_left_out) {
  const Table table = synthetic_table(200);
  TrainOptions options = quick_options("y", "normal");
  options.tasks.push_back({.target = "half", .loss = "squared"});
  const Model model = train(table, options);
  std::vector<Column> columns = table.columns();
  std::erase_if(columns, [](const Column& column) { return column.name == "half"; });
  const std::vector<Evaluation> some = model.evaluate(Table(columns));
  ASSERT_EQ(some.size(), 1u);
  EXPECT_EQ(some[0].task, "y");
  EXPECT_EQ(some[0].metrics, model.evaluate(table)[0].metrics);
  std::erase_if(columns, [](const Column& column) { return column.name == "y"; });
  EXPECT_THROW(model.evaluate(Table(columns)), Error);
}

TEST(DistributionEvaluation, errors_of_a_vector_of_quantiles_are_those_of_the_middle_one) {
  const Table table = synthetic_table(400);
  const Model model =
      train(table, quick_options("y",
                                 "outputs f[3]; quantile = f; "
                                 "loss = (y - 1 - f[0])^2 + (y - f[1])^2 + (y + 1 - f[2])^2"));
  double sum = 0;
  const Predictions predicted = model.predict(table);
  for (std::size_t row = 0; row < 400; ++row)
    sum += std::abs(predicted["quantile_1"][row] - table.column("y").values[row]);
  EXPECT_THAT(model.evaluate(table)[0].metrics,
              testing::Contains(testing::Pair("mae", testing::DoubleNear(sum / 400, 1e-12))));
}

TEST(DistributionEvaluation, a_vector_of_quantiles_is_judged_by_its_ends) {
  const Table table = synthetic_table(400);
  const Model model = train(table, quick_options("y",
                                                 "outputs f[2]; quantile = f; "
                                                 "loss = (y - 1 - f[0])^2 + (y + 1 - f[1])^2"));
  double inside = 0;
  const Predictions predicted = model.predict(table);
  for (std::size_t row = 0; row < 400; ++row) {
    const double y = table.column("y").values[row];
    inside += predicted["quantile_0"][row] <= y && y <= predicted["quantile_1"][row] ? 1 : 0;
  }
  EXPECT_THAT(model.evaluate(table)[0].metrics,
              testing::Contains(testing::Pair("coverage", inside / 400)));
}

}  // namespace
}  // namespace softwood
