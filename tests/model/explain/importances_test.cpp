#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/explain/column_swaps.h"
#include "model/explain/spread.h"
#include "model/hand_made_model.h"
#include "model/synthetic_table.h"
#include "softwood/error.h"
#include "softwood/explain.h"

namespace softwood {
namespace {

using testing::Each;
using testing::ElementsAre;

const std::vector<std::string> kNames = {"a", "b", "c"};

/// Independent columns a, b, c between −1 and 1.
Table uniform_table(std::size_t num_rows) {
  const RandomStream random(1, "uniform");
  std::vector<Column> columns;
  for (const std::string& name : kNames) {
    std::vector<double> values;
    for (std::size_t row = 0; row < num_rows; ++row)
      values.push_back(2 * random.uniform(3 * row + columns.size()) - 1);
    columns.push_back(number_column(name, values));
  }
  return Table(columns);
}

/// The variance over the table's rows of what a stump of one column adds.
double variance_of_stump(const Table& table, const std::string& column, double weight,
                         double height) {
  std::vector<double> added;
  for (const double x : table.column(column).values)
    added.push_back(height / (1 + std::exp(-weight * x)));
  return variance_of(added);
}

std::vector<double> shares_of(const Model& model, const Table& table,
                              const ImportanceOptions& options = {}) {
  return importances(model, table, options).shares[0];
}

TEST(Importances, shares_of_an_additive_model_are_its_variances) {
  const Table table = uniform_table(60);
  const Model model = hand_made_model(
      table, kNames, {{.addends = {{0, 2}}, .height = 3}, {.addends = {{2, -1}}, .height = 2}});
  const double a = variance_of_stump(table, "a", 2, 3), c = variance_of_stump(table, "c", -1, 2);
  // All 60 · 59 pairs: no sampling error.
  const std::vector<double> shares = shares_of(model, table, {.max_rows = 60 * 59});
  EXPECT_NEAR(shares[0], a / (a + c), 1e-5);
  EXPECT_EQ(shares[1], 0);  // no tree reads it
  EXPECT_NEAR(shares[2], c / (a + c), 1e-5);
}

TEST(Importances, a_sample_of_pairs_comes_near) {
  const Table table = uniform_table(20000);
  const Model model = hand_made_model(
      table, kNames, {{.addends = {{0, 2}}, .height = 3}, {.addends = {{2, -1}}, .height = 2}});
  const double a = variance_of_stump(table, "a", 2, 3), c = variance_of_stump(table, "c", -1, 2);
  const std::vector<double> first = shares_of(model, table, {.seed = 1});
  const std::vector<double> second = shares_of(model, table, {.seed = 2});
  EXPECT_NEAR(first[0], a / (a + c), 0.02);
  EXPECT_NEAR(second[0], a / (a + c), 0.02);
  EXPECT_NE(first, second);
}

TEST(Importances, an_interaction_counts_for_both_columns) {
  const Table table = uniform_table(3000);
  const Model model =
      hand_made_model(table, kNames, {{.addends = {{0, 4}, {1, 4}}}, {.addends = {{2, 0}}}});
  const std::vector<double> shares = shares_of(model, table);
  EXPECT_NEAR(shares[0], 0.5, 0.03);
  EXPECT_NEAR(shares[1], 0.5, 0.03);
}

/// Columns that are 0 but for a few rows: column c in one row of c + 2.
Table sparse_table(std::size_t num_rows, std::size_t num_columns) {
  const RandomStream random(1, "sparse");
  std::vector<Column> columns;
  for (std::size_t column = 0; column < num_columns; ++column) {
    std::vector<double> values;
    for (std::size_t row = 0; row < num_rows; ++row) {
      const bool is_zero = (row * 31 + column) % (column + 2) != 0;
      values.push_back(is_zero ? 0 : random.uniform(row * num_columns + column));
    }
    columns.push_back(number_column("s" + std::to_string(column), values));
  }
  return Table(columns);
}

/// Jansen's sum for one column by predicting every row with the cell of every other.
double changes_by_prediction(const Model& model, const Table& table, std::size_t swapped) {
  const std::size_t num_rows = table.num_rows();
  std::vector<Column> pairs;
  for (const Column& column : table.columns()) {
    std::vector<double> values;
    for (std::size_t row = 0; row < num_rows; ++row) {
      for (std::size_t donor = 0; donor < num_rows; ++donor)
        values.push_back(column.values[pairs.size() == swapped ? donor : row]);
    }
    pairs.push_back(number_column(column.name, values));
  }
  const Predictions plain = model.predict(table), changed = model.predict(Table(pairs));
  double sum = 0;
  for (std::size_t i = 0; i < num_rows * num_rows; ++i)
    sum += std::pow(changed["mean"][i] - plain["mean"][i / num_rows], 2);
  return sum;
}

TEST(Importances, sparse_columns_have_the_shares_of_their_definition) {
  constexpr std::uint32_t kRows = 40, kColumns = 15;
  const Table table = sparse_table(kRows, kColumns);
  std::vector<Stump> stumps;
  for (std::uint32_t column = 0; column < kColumns; ++column)
    stumps.push_back({.addends = {{column, 3}, {(column + 4) % kColumns, -2}}, .height = 2});
  const Model model = hand_made_model(table, table.names(), stumps);
  std::vector<double> expected;
  for (std::size_t column = 0; column < kColumns; ++column)
    expected.push_back(changes_by_prediction(model, table, column));
  const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
  const std::vector<double> shares = shares_of(model, table, {.max_rows = kRows * (kRows - 1)});
  for (std::size_t column = 0; column < kColumns; ++column)
    EXPECT_NEAR(shares[column], expected[column] / sum, 1e-5) << column;
}

TEST(Importances, permuting_columns_permutes_shares) {
  const Table table = uniform_table(500);
  const std::vector<Column>& columns = table.columns();
  const Table permuted({columns[1], columns[2], columns[0]});
  const Model model = hand_made_model(table, kNames, {{{{0, 1}}, 1}, {{{1, 2}}, 1}, {{{2, 1}}, 3}});
  const Model permuted_model =
      hand_made_model(permuted, kNames, {{{{0, 2}}, 1}, {{{1, 1}}, 3}, {{{2, 1}}, 1}});
  const std::vector<double> shares = shares_of(model, table);
  EXPECT_THAT(shares_of(permuted_model, permuted),
              ElementsAre(testing::DoubleEq(shares[1]), testing::DoubleEq(shares[2]),
                          testing::DoubleEq(shares[0])));
}

TEST(Importances, a_constant_model_rests_on_nothing) {
  const Table table = uniform_table(50);
  const Model model = hand_made_model(table, kNames, {{.addends = {{0, 2}}, .height = 0}});
  EXPECT_THAT(shares_of(model, table), Each(0.0));
}

TEST(Importances, a_single_row_has_nothing_to_compare) {
  const Model model = hand_made_model(uniform_table(50), kNames, {{.addends = {{0, 2}}}});
  EXPECT_THROW(importances(model, uniform_table(1)), Error);
  EXPECT_THROW(importances(model, uniform_table(9), {.max_rows = 1}), Error);
  EXPECT_EQ(shares_of(model, uniform_table(9), {.max_rows = 2})[0], 1);
}

}  // namespace
}  // namespace softwood
