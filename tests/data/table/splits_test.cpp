#include "data/table/splits.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/reading.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::uint32_t> first_rows(std::size_t count) {
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

Column texts(const std::vector<std::string>& cells) {
  std::string text = "m,x\n";
  for (const std::string& cell : cells) text += cell + ",1\n";
  return read_csv_text(text).column("m");
}

/// Both sides are ascending and together are the rows that were given.
void expect_whole(const Split& split, const std::vector<std::uint32_t>& rows) {
  EXPECT_TRUE(std::is_sorted(split.training.begin(), split.training.end()));
  EXPECT_TRUE(std::is_sorted(split.validation.begin(), split.validation.end()));
  std::vector<std::uint32_t> together;
  std::merge(split.training.begin(), split.training.end(), split.validation.begin(),
             split.validation.end(), std::back_inserter(together));
  EXPECT_EQ(together, rows);
}

TEST(SplitAtRandom, draws_the_rounded_share_and_loses_no_row) {
  std::vector<std::uint32_t> rows = first_rows(103);
  rows.erase(rows.begin(), rows.begin() + 2);  // numbers need not begin at 0
  const Split split = split_at_random(rows, 0.2, 7);
  EXPECT_EQ(split.validation.size(), 20u);
  expect_whole(split, rows);
}

TEST(SplitAtRandom, the_seed_decides) {
  const std::vector<std::uint32_t> rows = first_rows(1000);
  EXPECT_EQ(split_at_random(rows, 0.2, 7).validation, split_at_random(rows, 0.2, 7).validation);
  EXPECT_NE(split_at_random(rows, 0.2, 7).validation, split_at_random(rows, 0.2, 8).validation);
}

TEST(SplitAtRandom, nothing_and_everything_are_shares_too) {
  const std::vector<std::uint32_t> rows = first_rows(5);
  EXPECT_TRUE(split_at_random(rows, 0, 1).validation.empty());
  EXPECT_TRUE(split_at_random(rows, 1, 1).training.empty());
  EXPECT_TRUE(split_at_random({}, 0.5, 1).training.empty());
  for (const double fraction : {-0.1, 1.5, std::nan("")}) {
    EXPECT_THAT(error_of([&] { split_at_random(rows, fraction, 1); }),
                HasSubstr("between 0 and 1"));
  }
}

RC_GTEST_PROP(SplitByGroup, no_group_is_on_both_sides, ()) {
  const auto cells = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 12));
  Column group;
  group.values.assign(cells.begin(), cells.end());
  const std::vector<std::uint32_t> rows = first_rows(cells.size());
  const std::set<int> groups(cells.begin(), cells.end());
  RC_PRE(groups.size() > 1);
  const Split split = split_by_group(rows, group, 0.3, *rc::gen::arbitrary<std::uint64_t>());
  expect_whole(split, rows);
  std::set<int> in_training;
  for (const std::uint32_t row : split.training) in_training.insert(cells[row]);
  for (const std::uint32_t row : split.validation) RC_ASSERT(!in_training.contains(cells[row]));
  RC_ASSERT(!split.training.empty());
  RC_ASSERT(!split.validation.empty() || cells.size() < 2);
}

TEST(SplitByGroup, about_the_wanted_share_is_drawn) {
  Column group;
  for (int row = 0; row < 1000; ++row) group.values.push_back(row / 10);
  const Split split = split_by_group(first_rows(1000), group, 0.25, 3);
  EXPECT_EQ(split.validation.size(), 250u);
}

TEST(SplitByGroup, texts_group_and_missing_cells_are_alone) {
  const Column group = texts({"a", "a", "", "", "", "", "a", "a"});
  const Split split = split_by_group(first_rows(8), group, 0.25, 1);
  EXPECT_EQ(split.validation.size(), 2u);
  for (const std::uint32_t row : split.validation) EXPECT_TRUE(group.is_missing(row));
}

TEST(SplitByGroup, plus_and_minus_zero_are_one_group) {
  Column group;
  group.name = "g";
  group.values = {0.0, -0.0};
  EXPECT_THAT(error_of([&] { split_by_group(first_rows(2), group, 0.5, 1); }),
              HasSubstr("column 'g' holds a single group"));
}

TEST(SplitByGroup, one_group_always_stays_for_training) {
  Column group;
  group.values = {1, 1, 2, 2};
  EXPECT_EQ(split_by_group(first_rows(4), group, 0.9, 1).training.size(), 2u);
}

TEST(SplitByColumn, words_and_numbers_mark_validation_rows) {
  const Column words = texts({"train", "Test", "", "VALID", "no", "holdout", "yes", "validation"});
  EXPECT_THAT(split_by_column(first_rows(8), words).validation, ElementsAre(1, 3, 5, 6, 7));
  Column numbers;
  numbers.values = {0, 1, std::nan(""), -2};
  EXPECT_THAT(split_by_column(first_rows(4), numbers).validation, ElementsAre(1, 3));
  EXPECT_THAT(split_by_column(first_rows(4), numbers).training, ElementsAre(0, 2));
}

TEST(SplitByColumn, an_empty_side_is_an_error) {
  EXPECT_THAT(error_of([] {
                split_by_column(first_rows(2), texts({"a", "b"}));
              }),
              HasSubstr("column 'm' marks no rows"));
  EXPECT_THAT(error_of([] {
                split_by_column(first_rows(2), texts({"test", "true"}));
              }),
              HasSubstr("marks all rows"));
}

}  // namespace
}  // namespace softwood
