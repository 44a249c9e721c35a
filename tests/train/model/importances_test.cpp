#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/explain/column_swaps.h"
#include "model/model_access.h"
#include "model/synthetic_table.h"
#include "softwood/explain.h"
#include "softwood/train.h"

namespace softwood {
namespace {

using testing::ElementsAre;

TEST(TrainedImportances, shares_sum_to_one_for_each_task) {
  const Table table = synthetic_table(600);
  TrainOptions options = quick_options("y");
  options.tasks.push_back({.target = "count", .loss = "zip"});
  options.members = 2;
  const Importances found = importances(train(table, options), table);
  EXPECT_THAT(found.columns, ElementsAre("x1", "x2", "city"));
  EXPECT_THAT(found.tasks, ElementsAre("y", "count"));
  for (const std::vector<double>& shares : found.shares)
    EXPECT_NEAR(shares[0] + shares[1] + shares[2], 1, 1e-12);
  // y: 3·sin(4·x1) against x2 in (−2, 2) against one city of three; count: x1 alone.
  EXPECT_GT(found.shares[0][0], 0.5);
  EXPECT_GT(found.shares[0][1], found.shares[0][2]);
  EXPECT_GT(found.shares[1][0], 0.6);
}

TEST(TrainedImportances, bits_do_not_depend_on_the_number_of_threads) {
  const Table table = synthetic_table(900);
  const Model model = train(table, quick_options("label"));
  const std::vector<double> one = importances(model, table, {.threads = 1}).shares[0];
  for (const int threads : {2, 3, 5}) {
    EXPECT_EQ(importances(model, table, {.threads = threads}).shares[0], one) << threads;
  }
}

TEST(TrainedImportances, the_parts_of_a_date_are_one_column) {
  std::vector<Column> columns = synthetic_table(400).columns();
  std::vector<double> seconds;
  for (std::size_t row = 0; row < 400; ++row) {
    seconds.push_back(86400.0 * static_cast<double>(row));
    columns[3].values[row] = static_cast<double>(row % 7);  // y follows the weekday
  }
  columns.push_back({.name = "when", .kind = ColumnKind::datetime, .values = seconds});
  TrainOptions options = quick_options("y");
  options.features.push_back("when");
  const Table table(columns);
  const Importances found = importances(train(table, options), table);
  EXPECT_THAT(found.columns, ElementsAre("x1", "x2", "city", "when"));
  EXPECT_GT(found.shares[0][3], 0.9);
}

TEST(TrainedImportances, both_scales_of_a_column_are_swapped) {
  const Table table = synthetic_table(3000);
  const Model model = train(table, quick_options("y"));
  const auto columns =
      source_columns(ModelAccess::parts(model).encoder, ModelAccess::parts(model).members[0]);
  EXPECT_EQ(columns[0].inputs.size(), 2u);  // x1: coarse and fine
  EXPECT_EQ(columns[2].inputs.size(), 1u);  // city
}

}  // namespace
}  // namespace softwood
