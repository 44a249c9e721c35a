#include "tree/batch.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tree/random_forest.h"

namespace softwood {
namespace {

using testing::ElementsAre;

struct Loaded {
  std::vector<ColumnBasis> columns;
  std::vector<float> positions;
  Batch batch;

  Loaded(const ColumnBasis& basis, std::vector<float> cells)
      : columns{basis}, positions(std::move(cells)), batch(columns, positions.size()) {
    batch.resize(positions.size());
    const std::vector<std::uint32_t> rows = first_columns(positions.size());
    batch.load_column(0, {positions.data(), 1, positions.size()}, rows, true);
  }
  std::vector<std::uint32_t> intervals() const {
    std::vector<std::uint32_t> result;
    for (std::size_t row = 0; row < positions.size(); ++row) {
      result.push_back(batch.offsets(0)[row] / static_cast<std::uint32_t>(kLanes));
    }
    return result;
  }
  std::vector<float> fractions() const {
    return {batch.fractions(0), batch.fractions(0) + positions.size()};
  }
};

TEST(Batch, positions_become_interval_and_fraction) {
  const Loaded curve(curve_basis(4, 0), {0, 0.25F, 1, 3.5F, 4, 5});
  EXPECT_THAT(curve.intervals(), ElementsAre(0, 0, 1, 3, 4, 4));
  EXPECT_THAT(curve.fractions(), ElementsAre(0, 0.25F, 0, 0.5F, 0, 1));
}

TEST(Batch, rows_hold_what_columns_hold) {
  const std::vector<ColumnBasis> columns = columns_on_two_scales();
  const Positions positions = random_positions({columns.begin(), columns.begin() + 4}, 150, 1);
  const std::vector<std::uint32_t> rows = {149, 3, 3, 77, 0, 12, 148};
  const std::vector<std::size_t> some = {0, 1, 2, 4, 5};
  Batch batch(columns, 150, /*sortable=*/true, /*by_row=*/true);
  batch.resize(rows.size());
  batch.load_rows(some, positions.view(), rows, 2, rows.size());
  batch.load_rows(some, positions.view(), rows, 0, 2);
  for (const std::size_t column : some) {
    batch.load_column(column, positions.view(), rows, /*sorted=*/true);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      ASSERT_EQ(batch.row_fractions(row)[column], batch.fractions(column)[row]);
      if (columns[column].kind == ColumnBasis::Kind::linear) continue;
      ASSERT_EQ(batch.row_offsets(row)[column], batch.offsets(column)[row]);
    }
  }
}

TEST(Batch, a_block_of_rows_is_loaded_in_tiles) {
  const std::vector<ColumnBasis> columns = mixed_columns(6);
  const Positions positions = random_positions(columns, 400, 1);
  const std::vector<std::size_t> all = {0, 1, 2, 3, 4, 5};
  Batch rows(columns, 300, /*sortable=*/false, /*by_row=*/true), plain(columns, 300, false);
  rows.resize(300), plain.resize(300);
  rows.load_rows(all, positions.view(), 50);
  for (const std::size_t column : all) {
    plain.load_column(column, positions.view(), 50);
    for (std::size_t row = 0; row < 300; ++row) {
      ASSERT_EQ(rows.row_fractions(row)[column], plain.fractions(column)[row]);
    }
  }
}

TEST(Batch, the_last_level_is_the_far_end_of_the_last_interval) {
  const Loaded levels(levels_basis(3), {0, 1, 2});
  EXPECT_THAT(levels.intervals(), ElementsAre(0, 1, 1));
  EXPECT_THAT(levels.fractions(), ElementsAre(0, 0, 1));
}

TEST(Batch, linear_columns_keep_their_values) {
  const Loaded linear(linear_basis(), {-1.5F, 0, 7});
  EXPECT_THAT(linear.fractions(), ElementsAre(-1.5F, 0, 7));
}

TEST(Batch, a_wrong_position_never_reads_outside_the_knots) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const Loaded curve(curve_basis(4, 0), {nan, -3, infinity, -infinity, 1e30F});
  for (const std::uint32_t interval : curve.intervals()) EXPECT_LE(interval, 4U);
  EXPECT_TRUE(std::isnan(curve.fractions()[0]));
}

TEST(Batch, rows_are_gathered_by_their_numbers) {
  const std::vector<ColumnBasis> columns = {linear_basis(), linear_basis()};
  const std::vector<float> positions = {0, 1, 2, 3, 10, 11, 12, 13};
  Batch batch(columns, 3);
  batch.resize(3);
  const std::vector<std::uint32_t> rows = {3, 0, 3};
  for (std::size_t column = 0; column < 2; ++column) {
    batch.load_column(column, {positions.data(), 2, 4}, rows, true);
  }
  EXPECT_THAT(std::vector<float>(batch.fractions(1), batch.fractions(1) + 3),
              ElementsAre(13, 10, 13));
  batch.resize(2);
  batch.load_column(0, {positions.data(), 2, 4}, 1);
  EXPECT_THAT(std::vector<float>(batch.fractions(0), batch.fractions(0) + 2), ElementsAre(1, 2));
}

TEST(Batch, a_column_reads_its_source) {
  std::vector<ColumnBasis> columns = {linear_basis(), linear_basis()};
  columns[0].source = 1;
  columns[1].source = 1;
  const std::vector<float> positions = {0, 1, 10, 11};
  Batch batch(columns, 2);
  batch.resize(2);
  for (std::size_t column = 0; column < 2; ++column) {
    batch.load_column(column, {positions.data(), 2, 2}, 0);
    EXPECT_THAT(std::vector<float>(batch.fractions(column), batch.fractions(column) + 2),
                ElementsAre(10, 11));
  }
}

TEST(Batch, a_scale_maps_its_knots_and_what_lies_between) {
  ColumnBasis basis = curve_basis(2, 0.1);
  basis.scale = {0, 0.25F, 1, 2, 3};
  const Loaded curve(basis, {0, 0.5F, 1, 2, 2.5F, 3, 4});
  EXPECT_THAT(curve.intervals(), ElementsAre(0, 0, 0, 1, 1, 2, 2));
  EXPECT_THAT(curve.fractions(), ElementsAre(0, 0.125F, 0.25F, 0, 0.5F, 0, 1));
}

TEST(Batch, a_wrong_position_never_reads_outside_a_scale) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const Loaded curve(scaled_basis(4, 3, 0), {nan, -3, infinity, -infinity, 1e30F});
  for (const std::uint32_t interval : curve.intervals()) EXPECT_LE(interval, 4U);
  EXPECT_TRUE(std::isnan(curve.fractions()[0]));
}

void expect_sorted(const Loaded& loaded) {
  const std::uint32_t* starts = loaded.batch.starts(0);
  const std::size_t num_knots = loaded.columns[0].num_knots;
  const std::vector<std::uint32_t> intervals = loaded.intervals();
  ASSERT_EQ(starts[0], 0U);
  ASSERT_EQ(starts[num_knots - 1], loaded.positions.size());
  std::vector<bool> seen(loaded.positions.size());
  for (std::size_t k = 0; k + 1 < num_knots; ++k) {
    ASSERT_LE(starts[k], starts[k + 1]);
    for (std::size_t i = starts[k]; i < starts[k + 1]; ++i) {
      const std::uint32_t row = loaded.batch.sorted_rows(0)[i];
      ASSERT_EQ(intervals[row], k);
      ASSERT_EQ(loaded.batch.sorted_fractions(0)[i], loaded.batch.fractions(0)[row]);
      ASSERT_TRUE(i == starts[k] || loaded.batch.sorted_rows(0)[i - 1] < row);
      ASSERT_FALSE(seen[row]);
      seen[row] = true;
    }
  }
}

RC_GTEST_PROP(Batch, sorting_groups_every_row_once_by_interval, ()) {
  const auto basis = *rc::gen::inRange(0, 2) == 0
                         ? curve_basis(*rc::gen::inRange<std::size_t>(1, 60), 0.1)
                         : levels_basis(*rc::gen::inRange<std::size_t>(2, 60));
  const auto num_rows = *rc::gen::inRange<std::size_t>(0, 200);
  expect_sorted(Loaded(basis, random_positions({basis}, num_rows, 3).data));
}

RC_GTEST_PROP(Batch, a_scale_equals_positions_on_that_scale, ()) {
  const auto num_bins = *rc::gen::inRange<std::size_t>(1, 20);
  const ColumnBasis scaled = scaled_basis(num_bins, *rc::gen::inRange<std::size_t>(1, 9), 0.1);
  ColumnBasis plain = scaled;
  plain.scale.clear();
  const auto stored = random_positions({scaled}, *rc::gen::inRange<std::size_t>(0, 200), 3).data;
  std::vector<float> rescaled;
  for (const float position : stored) rescaled.push_back(scaled.position(position));
  const Loaded by_scale(scaled, stored), by_position(plain, rescaled);
  RC_ASSERT(by_scale.intervals() == by_position.intervals());
  RC_ASSERT(by_scale.fractions() == by_position.fractions());
  expect_sorted(by_scale);
}

TEST(Batch, sorts_thousands_of_levels) {
  const ColumnBasis basis = levels_basis(5000);
  expect_sorted(Loaded(basis, random_positions({basis}, 300, 3).data));
}

}  // namespace
}  // namespace softwood
