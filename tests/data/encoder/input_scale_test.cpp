#include "data/encoder/input_scale.h"

#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "softwood/error.h"

namespace softwood {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

EncodedColumn curve(std::vector<double> edges = {0, 1, 5}) {
  EncodedColumn column;
  column.edges = std::move(edges);
  return column;
}

EncodedColumn levels() {
  EncodedColumn column;
  column.kind = EncodedColumn::Kind::levels;
  column.levels = {"Bern", "Oslo"};
  return column;
}

EncodedColumn linear() {
  EncodedColumn column;
  column.kind = EncodedColumn::Kind::linear;
  column.mean = 10;
  column.sd = 4;
  return column;
}

void expect_place(const EncodedColumn& column, double value, double position, double slope) {
  const ScalePlace place = input_place(column, value);
  EXPECT_EQ(place.position, position) << value;
  EXPECT_EQ(place.slope, slope) << value;
}

TEST(InputScale, a_number_moves_along_its_bin_and_nowhere_outside) {
  expect_place(curve(), 0.25, 0.25, 1);
  expect_place(curve(), 2, 1.25, 0.25);
  expect_place(curve(), 1, 1, 0.25);
  expect_place(curve(), 0, 0, 0);
  expect_place(curve(), 5, 2, 0);
  expect_place(curve(), 1e300, 2, 0);
  expect_place(curve(), -INFINITY, 0, 0);
  expect_place(curve(), kMissing, 3, 0);
}

TEST(InputScale, a_bin_wider_than_the_largest_double_has_a_slope) {
  const ScalePlace place = input_place(curve({-1.5e308, 1.5e308}), 0);
  EXPECT_EQ(place.position, 0.5);
  EXPECT_GT(place.slope, 3e-309);
}

TEST(InputScale, levels_are_indices) {
  expect_place(levels(), 0, 0, 0);
  expect_place(levels(), 1, 1, 0);
  expect_place(levels(), -1, 2, 0);
  expect_place(levels(), kMissing, 3, 0);
}

TEST(InputScale, what_is_no_level_is_an_error) {
  for (const double value : {2.0, -2.0, 0.5, static_cast<double>(INFINITY)}) {
    EXPECT_THROW(input_place(levels(), value), Error) << value;
  }
}

TEST(InputScale, a_linear_column_is_standardised) {
  expect_place(linear(), 18, 2, 0.25);
  expect_place(linear(), kMissing, 0, 0);
  expect_place(linear(), INFINITY, 1e30, 0);
}

/// Numbers with holes, a date and levels of which one is rare.
Table mixed_table() {
  Column number{.name = "n"}, date{.name = "d", .kind = ColumnKind::datetime, .date_order = "ymd"};
  Column level{.name = "c", .kind = ColumnKind::categorical, .levels = {"a", "b", "rare"}};
  for (int row = 0; row < 40; ++row) {
    number.values.push_back(row % 7 == 0 ? kMissing : row * 0.375);
    date.values.push_back(row % 9 == 0 ? kMissing : 1e9 + 1e5 * row);
    level.codes.push_back(row == 20 ? 2 : row % 3 - 1);
  }
  return Table({number, date, level});
}

TEST(InputScale, raw_inputs_stand_for_the_encoded_cells) {
  const Table table = mixed_table();
  std::vector<std::uint32_t> rows(table.num_rows());
  std::iota(rows.begin(), rows.end(), 0U);
  for (const bool is_linear : {false, true}) {
    const Encoder encoder =
        Encoder::fit(table, rows, {.features = {"n", "d", "c"}, .linear = is_linear});
    const Rows encoded = encoder.encode(table, 1);
    const std::vector<double> raw = encoder.raw_inputs(table, 2);
    const std::size_t num_columns = encoder.columns().size();
    ASSERT_EQ(raw.size(), num_columns * table.num_rows());
    for (std::size_t column = 0; column < num_columns; ++column) {
      for (std::size_t row = 0; row < table.num_rows(); ++row) {
        const ScalePlace place =
            input_place(encoder.columns()[column], raw[row * num_columns + column]);
        EXPECT_EQ(static_cast<float>(place.position), encoded.view()(column, row));
      }
    }
  }
}

}  // namespace
}  // namespace softwood
