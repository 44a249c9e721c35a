#include <gtest/gtest.h>

#include "model/raw_row.h"
#include "model/synthetic_table.h"
#include "softwood/train.h"

namespace softwood {
namespace {

/// Counts per year observed, three members, missing cells and a text among the columns.
TEST(RowPredictor, of_members_and_an_exposure_gives_the_bits_of_a_table) {
  const Table plain = synthetic_table(300);
  std::vector<Column> columns = plain.columns();
  std::vector<double> years;
  for (std::size_t row = 0; row < plain.num_rows(); ++row)
    years.push_back(1 + static_cast<double>(row % 3));
  columns.push_back(number_column("years", years));
  const Table table(columns);
  TrainOptions options = quick_options("count", "poisson(exposure=years)");
  options.members = 3;
  options.epochs = 2;
  const Model model = train(table, options);
  EXPECT_EQ(rows_unlike_the_table(model, table), 0u);
  RowPredictor predictor(model);
  std::vector<double> row = raw_row(predictor, table, 0);
  const double in_a_year = predictor.predict(row)[0];
  row.back() *= 10;
  EXPECT_DOUBLE_EQ(predictor.predict(row)[0], 10 * in_a_year);
}

TEST(RowPredictor, of_three_classes_gives_the_bits_of_a_table) {
  const Table plain = synthetic_table(300);
  Column grade{.name = "grade", .kind = ColumnKind::categorical, .levels = {"a", "b", "c"}};
  for (const double y : plain.column("y").values) grade.codes.push_back(y < -1 ? 0 : y < 1 ? 1 : 2);
  std::vector<Column> columns = plain.columns();
  columns.push_back(grade);
  const Table table(columns);
  const Model model = train(table, quick_options("grade"));
  EXPECT_EQ(RowPredictor(model).predictions().size(), 3u);
  EXPECT_EQ(rows_unlike_the_table(model, table), 0u);
}

}  // namespace
}  // namespace softwood
