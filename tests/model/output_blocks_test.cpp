#include "model/output_blocks.h"

#include <cmath>

#include <gtest/gtest.h>

#include "data/table/table_rows.h"
#include "model/file/version_3.h"
#include "model/model_access.h"
#include "softwood/error.h"

namespace softwood {
namespace {

/// More rows than fit into two blocks of one thread: the small table's again and again.
constexpr std::size_t kRows = 40'000;

Table long_table(const Table& table) {
  std::vector<std::int64_t> rows;
  for (std::size_t row = 0; row < kRows; ++row)
    rows.push_back(static_cast<std::int64_t>(row % table.num_rows()));
  return select_rows(table, rows);
}

std::vector<double> to_vector(std::span<const double> values) {
  return {values.begin(), values.end()};
}

TEST(OutputBlocks, hold_every_row_once_and_in_order) {
  const Model model = version_3_model();
  const Table small = version_3_table(model), table = long_table(small);
  ThreadTeam team(1);
  const ModelParts& parts = ModelAccess::parts(model);
  std::size_t next = 0, num_blocks = 0;
  OutputBlocks(parts, table, team).visit([&](const OutputBlock& block) {
    EXPECT_EQ(block.first, next);
    next += block.num_rows;
    ++num_blocks;
    EXPECT_LT(block.num_rows, kRows);
    EXPECT_EQ(block.members[0].size(), 3 * block.num_rows);
    EXPECT_EQ(block.of_task(parts.tasks[1])[0].data(),
              block.members[0].data() + 2 * block.num_rows);
  });
  EXPECT_EQ(next, kRows);
  EXPECT_GT(num_blocks, 2u);
}

TEST(OutputBlocks, change_no_bit_of_predictions) {
  const Model model = version_3_model();
  const Table small = version_3_table(model), table = long_table(small);
  const PredictOptions options{.quantiles = {0.9}, .moments = true, .threads = 1};
  const Predictions expected = model.predict(small, options);
  for (const int threads : {1, 2, 3}) {
    PredictOptions own = options;
    own.threads = threads;
    const Predictions found = model.predict(table, own);
    ASSERT_EQ(found.table().names(), expected.table().names());
    ASSERT_EQ(found.num_rows(), kRows);
    for (const Column& column : expected.table().columns()) {
      const Column& all = found.table().column(column.name);
      for (std::size_t row = 0; row < kRows; row += 7)
        ASSERT_EQ(all.text(row), column.text(row % small.num_rows())) << column.name << " " << row;
    }
  }
}

TEST(OutputBlocks, change_no_draw) {
  const Model model = version_3_model();
  const Table table = long_table(version_3_table(model));
  const Predictions found = model.predict(table, {.samples = 2, .seed = 7, .threads = 1});
  const PredictedDistribution distribution = model.distribution(table, "y", 1);
  EXPECT_EQ(to_vector(found["y.sample_2"]), distribution.sample(7, 1));
  EXPECT_NE(found["y.sample_1"][0], found["y.sample_1"][60]);  // the same row of the small table
}

TEST(OutputBlocks, change_no_figure_of_an_evaluation) {
  const Model model = version_3_model();
  const Table table = long_table(version_3_table(model));
  const auto one = model.evaluate(table, 1), three = model.evaluate(table, 3);
  ASSERT_EQ(one.size(), 2u);
  for (std::size_t task = 0; task < 2; ++task) {
    EXPECT_EQ(one[task].metrics, three[task].metrics);
    EXPECT_EQ(one[task].pit_histogram, three[task].pit_histogram);
    EXPECT_EQ(one[task].num_rows, kRows);
  }
  // The table is the small one 666 times, and 40 of its rows once more.
  const auto small = model.evaluate(version_3_table(model), 1);
  for (std::size_t i = 0; i < small[0].metrics.size(); ++i)
    EXPECT_NEAR(one[0].metrics[i].second, small[0].metrics[i].second, 0.01)
        << small[0].metrics[i].first;
}

TEST(OutputBlocks, of_no_rows_give_columns_without_rows) {
  const Model model = version_3_model();
  const Table none = select_rows(version_3_table(model), {});
  const Predictions found = model.predict(none, {.quantiles = {0.5}, .samples = 1});
  EXPECT_EQ(found.num_rows(), 0u);
  EXPECT_EQ(found.table().names().size(), 7u);
  EXPECT_EQ(model.evaluate(none)[0].num_rows, 0u);
}

TEST(OutputBlocks, an_infinite_cell_is_told_by_its_row_in_the_table) {
  const Model model = version_3_model();
  std::vector<Column> columns = long_table(version_3_table(model)).columns();
  columns[0].values[39'999] = INFINITY;
  try {
    model.predict(Table(columns), 1);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("40000"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace softwood
