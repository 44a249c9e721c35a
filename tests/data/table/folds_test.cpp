#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/reading.h"
#include "data/table/splits.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Numbers = std::vector<std::uint32_t>;

Numbers first_rows(std::size_t count) {
  Numbers rows(count);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

Column number_column(std::vector<double> values) {
  return {.name = "g", .values = std::move(values)};
}

/// Every row validates once and trains everywhere else; both sides ascend.
void expect_folds(const std::vector<Split>& splits, const Numbers& rows) {
  Numbers validated;
  for (const Split& split : splits) {
    EXPECT_TRUE(std::is_sorted(split.training.begin(), split.training.end()));
    EXPECT_TRUE(std::is_sorted(split.validation.begin(), split.validation.end()));
    Numbers together;
    std::merge(split.training.begin(), split.training.end(), split.validation.begin(),
               split.validation.end(), std::back_inserter(together));
    EXPECT_EQ(together, rows);
    validated.insert(validated.end(), split.validation.begin(), split.validation.end());
  }
  std::sort(validated.begin(), validated.end());
  EXPECT_EQ(validated, rows);
}

/// Most rows of a fold less fewest.
std::size_t spread(const std::vector<Split>& splits) {
  std::size_t least = splits[0].validation.size(), most = least;
  for (const Split& split : splits) {
    least = std::min(least, split.validation.size());
    most = std::max(most, split.validation.size());
  }
  return most - least;
}

RC_GTEST_PROP(Folds, every_row_validates_once_and_sizes_differ_by_one_at_most, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(2, 12);
  Numbers rows = first_rows(count + *rc::gen::inRange<std::size_t>(0, 200) + 3);
  rows.erase(rows.begin(), rows.begin() + 3);  // numbers need not begin at 0
  const auto splits = split_into_folds(rows, count, *rc::gen::arbitrary<std::uint64_t>());
  RC_ASSERT(splits.size() == count);
  expect_folds(splits, rows);
  RC_ASSERT(spread(splits) <= 1u);
}

TEST(Folds, the_seed_decides) {
  const Numbers rows = first_rows(100);
  const auto fold = [&](std::uint64_t seed) {
    return split_into_folds(rows, 5, seed)[0].validation;
  };
  EXPECT_EQ(fold(7), fold(7));
  EXPECT_NE(fold(7), fold(8));
  EXPECT_NE(fold(7), first_rows(20));
}

TEST(Folds, fewer_rows_than_folds_are_an_error) {
  EXPECT_EQ(split_into_folds(first_rows(5), 5, 1).size(), 5u);
  EXPECT_THAT(error_of([] { split_into_folds(first_rows(4), 5, 1); }),
              HasSubstr("4 rows cannot be dealt into 5 folds"));
}

RC_GTEST_PROP(GroupFolds, no_group_is_in_two_folds, ()) {
  const auto cells =
      *rc::gen::resize(200, rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 30)));
  const std::set<int> groups(cells.begin(), cells.end());
  RC_PRE(groups.size() >= 4u);
  const auto count = *rc::gen::inRange<std::size_t>(2, 5);
  const Column group = number_column({cells.begin(), cells.end()});
  const Numbers rows = first_rows(cells.size());
  const auto splits =
      split_groups_into_folds(rows, group, count, *rc::gen::arbitrary<std::uint64_t>());
  expect_folds(splits, rows);
  std::map<int, std::size_t> fold_of;
  for (std::size_t fold = 0; fold < count; ++fold) {
    RC_ASSERT(!splits[fold].validation.empty());
    for (const std::uint32_t row : splits[fold].validation) {
      RC_ASSERT(fold_of.emplace(cells[row], fold).first->second == fold);
    }
  }
}

TEST(GroupFolds, groups_of_one_size_are_shared_out_evenly) {
  std::vector<double> cells;
  for (int row = 0; row < 120; ++row) cells.push_back(row % 30);
  EXPECT_EQ(spread(split_groups_into_folds(first_rows(120), number_column(cells), 5, 3)), 0u);
}

TEST(GroupFolds, a_large_group_is_balanced_by_small_ones) {
  std::vector<double> cells(40, 1.0);
  for (int row = 0; row < 60; ++row) cells.push_back(2 + row / 2);
  const auto splits = split_groups_into_folds(first_rows(100), number_column(cells), 2, 3);
  EXPECT_LE(spread(splits), 2u);
}

TEST(GroupFolds, missing_cells_are_groups_of_their_own) {
  const Column group = number_column(std::vector<double>(6, std::nan("")));
  expect_folds(split_groups_into_folds(first_rows(6), group, 3, 1), first_rows(6));
}

TEST(GroupFolds, fewer_groups_than_folds_are_an_error) {
  EXPECT_THAT(error_of([] {
                split_groups_into_folds(first_rows(4), number_column({1, 1, 2, 2}), 3, 1);
              }),
              HasSubstr("column 'g' holds 2 groups, too few for 3 folds"));
}

TEST(FoldColumn, every_value_is_a_fold) {
  const Column names = read_csv_text("g\nb\na\nb\nc\na\n").column("g");
  const auto splits = split_by_fold_column(first_rows(5), names);
  expect_folds(splits, first_rows(5));
  ASSERT_EQ(splits.size(), 3u);
  EXPECT_THAT(splits[0].validation, ElementsAre(1, 4));
  EXPECT_THAT(splits[1].validation, ElementsAre(0, 2));
  EXPECT_THAT(splits[2].validation, ElementsAre(3));
}

TEST(FoldColumn, numbers_keep_their_order) {
  const auto splits = split_by_fold_column(first_rows(4), number_column({10, 9, -1, 10}));
  ASSERT_EQ(splits.size(), 3u);
  EXPECT_THAT(splits[0].validation, ElementsAre(2));
  EXPECT_THAT(splits[1].validation, ElementsAre(1));
  EXPECT_THAT(splits[2].validation, ElementsAre(0, 3));
}

TEST(FoldColumn, only_the_given_rows_count) {
  const Column folds = number_column({1, std::nan(""), 2, 3});
  const auto splits = split_by_fold_column(Numbers{0, 2}, folds);
  expect_folds(splits, Numbers{0, 2});
  EXPECT_EQ(splits.size(), 2u);
}

TEST(FoldColumn, a_missing_cell_is_named) {
  EXPECT_THAT(error_of([] {
                split_by_fold_column(first_rows(3), number_column({1, std::nan(""), 2}));
              }),
              HasSubstr("data row 2: the fold in column 'g' is missing"));
}

TEST(FoldColumn, one_fold_and_very_many_are_errors) {
  EXPECT_THAT(error_of([] {
                split_by_fold_column(first_rows(2), number_column({1, 1}));
              }),
              HasSubstr("column 'g' names fewer than two folds"));
  std::vector<double> many(101);
  std::iota(many.begin(), many.end(), 0.0);
  EXPECT_THAT(error_of([&] { split_by_fold_column(first_rows(101), number_column(many)); }),
              HasSubstr("there must be 2 to 100"));
}

}  // namespace
}  // namespace softwood
