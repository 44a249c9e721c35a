#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "softwood/compare.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// Row numbers, groups of five, and a response that every third row lacks.
Table some_table(int num_rows) {
  std::vector<double> row, group, y;
  for (int i = 0; i < num_rows; ++i) {
    row.push_back(i);
    group.push_back(i / 5);
    y.push_back(i % 3 == 0 ? std::nan("") : i);
  }
  return Table(std::vector<Column>{{.name = "row", .values = row},
                                   {.name = "group", .values = group},
                                   {.name = "y", .values = y}});
}

std::set<double> distinct(const Table& table, const char* column) {
  const auto& values = table.column(column).values;
  return {values.begin(), values.end()};
}

TEST(HoldOut, every_row_is_on_one_side) {
  const HeldOut parts = hold_out(some_table(100), {.fraction = 0.3, .seed = 4});
  EXPECT_EQ(parts.test.num_rows(), 30u);
  EXPECT_EQ(parts.training.num_rows(), 70u);
  std::set<double> all = distinct(parts.training, "row");
  all.merge(distinct(parts.test, "row"));
  EXPECT_EQ(all.size(), 100u);
}

TEST(HoldOut, the_seed_draws_the_rows) {
  const auto rows = [](std::uint64_t seed) {
    return distinct(hold_out(some_table(100), {.seed = seed}).test, "row");
  };
  EXPECT_EQ(rows(1), rows(1));
  EXPECT_NE(rows(1), rows(2));
}

TEST(HoldOut, rows_that_belong_together_stay_together) {
  const HeldOut parts = hold_out(some_table(100), {.keep_together = "group"});
  const std::set<double> held_out = distinct(parts.test, "group");
  EXPECT_EQ(parts.test.num_rows(), 20u);
  for (const double group : distinct(parts.training, "group"))
    EXPECT_FALSE(held_out.contains(group));
}

TEST(HoldOut, rows_without_a_response_are_on_neither_side) {
  const HeldOut parts = hold_out(some_table(90), {.target = "y"});
  EXPECT_EQ(parts.training.num_rows() + parts.test.num_rows(), 60u);
  for (const Table* side : {&parts.training, &parts.test}) {
    for (const double y : side->column("y").values) EXPECT_FALSE(std::isnan(y));
  }
}

TEST(HoldOut, mistakes_are_named) {
  for (const double fraction : {0.0, 1.0, -0.1, std::nan("")}) {
    EXPECT_THAT([&] { hold_out(some_table(10), {.fraction = fraction}); },
                ThrowsMessage<Error>(HasSubstr("above 0 and below 1")));
  }
  EXPECT_THAT([] { hold_out(some_table(2)); },
              ThrowsMessage<Error>(HasSubstr("2 rows are too few to hold 20 % of them out")));
  EXPECT_THAT([] { hold_out(some_table(10), {.keep_together = "grup"}); },
              ThrowsMessage<Error>(HasSubstr("no column 'grup'")));
}

}  // namespace
}  // namespace softwood
