#include "train/warm/learned_tables.h"

#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_table.h"
#include "train/prepare/examples.h"

namespace softwood {
namespace {

using testing::SizeIs;

std::vector<Responses> responses_of(std::vector<double> y) {
  std::vector<Responses> responses(1);
  responses[0].y = std::move(y);
  return responses;
}

std::vector<double> counting(double first, std::size_t count) {
  std::vector<double> y(count);
  std::iota(y.begin(), y.end(), first);
  return y;
}

std::vector<std::uint32_t> all_rows(std::size_t count) {
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

TEST(LearnedTables, are_found_again_at_the_beginning_in_order) {
  const auto responses = responses_of(counting(0, 100));
  const std::vector<LearnedTable> learned = {learned_table(responses, 0, 60, 1, false),
                                             learned_table(responses, 60, 30, 2, false)};
  const auto parts = find_learned_tables(learned, responses, 100);
  ASSERT_THAT(parts, SizeIs(3));
  EXPECT_EQ(parts[0].before, &learned[0]);
  EXPECT_EQ(parts[1].before, &learned[1]);
  EXPECT_EQ(parts[1].first, 60u);
  EXPECT_EQ(parts[2].before, nullptr);
  EXPECT_EQ(parts[2].count, 10u);
}

TEST(LearnedTables, one_that_is_not_there_is_passed_over) {
  const auto responses = responses_of(counting(0, 100));
  const std::vector<LearnedTable> learned = {learned_table(responses, 0, 60, 1, false),
                                             learned_table(responses, 60, 30, 2, false)};
  const auto later = responses_of(counting(60, 40));
  const auto parts = find_learned_tables(learned, later, 40);
  ASSERT_THAT(parts, SizeIs(2));
  EXPECT_EQ(parts[0].before, &learned[1]);
  EXPECT_EQ(parts[1].count, 10u);
}

TEST(LearnedTables, another_response_makes_another_table) {
  auto y = counting(0, 100);
  const LearnedTable learned = learned_table(responses_of(y), 0, 100, 1, false);
  y[50] += 1;
  const auto parts = find_learned_tables({{learned}}, responses_of(y), 100);
  ASSERT_THAT(parts, SizeIs(1));
  EXPECT_EQ(parts[0].before, nullptr);
}

TEST(LearnedTables, a_member_keeps_away_from_the_rows_that_judge_it) {
  const Table table = synthetic_table(100);
  TrainOptions options = quick_options("y");
  options.members = 3;
  options.seed = 5;
  const std::vector<std::uint32_t> first = all_rows(60);
  const std::vector<Split> before = split_rows(options, first, table);
  const auto responses = responses_of(counting(0, 100));
  const LearnedTable learned = learned_table(responses, 0, 60, 5, false);
  options.seed = 9;  // of the later training
  const TablePart parts[] = {{0, 60, &learned}, {60, 40, nullptr}};
  const std::vector<Split> after = split_parts(options, parts, all_rows(100), table);
  ASSERT_THAT(after, SizeIs(3));
  std::set<std::uint32_t> validated;
  for (std::size_t member = 0; member < 3; ++member) {
    for (const std::uint32_t row : before[member].training)
      EXPECT_THAT(after[member].validation, testing::Not(testing::Contains(row)));
    validated.insert(after[member].validation.begin(), after[member].validation.end());
  }
  EXPECT_THAT(validated, SizeIs(100));
}

TEST(LearnedTables, a_handful_of_new_rows_is_learned_from_by_all) {
  const Table table = synthetic_table(8);
  TrainOptions options = quick_options("y");
  options.members = 5;
  const TablePart parts[] = {{0, 8, nullptr}};
  for (const Split& split : split_parts(options, parts, all_rows(8), table)) {
    EXPECT_THAT(split.training, SizeIs(8));
    EXPECT_THAT(split.validation, SizeIs(0));
  }
}

}  // namespace
}  // namespace softwood
