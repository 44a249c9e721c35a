#include "train/prepare/learnable_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using RowNumbers = std::vector<std::uint32_t>;

const NoteSink kNoNotes = [](const std::string&) {};

struct Given {
  Table table;
  std::vector<Responses> responses;
};

/// Columns x and w; the response is x.
Given given(std::vector<double> x, std::vector<double> w = {}) {
  Given all;
  all.responses = {Responses{.y = x, .columns = {}}};
  if (w.empty()) w.assign(x.size(), 1.0);
  all.table = Table({Column{.name = "w", .values = w}, Column{.name = "x", .values = x}});
  return all;
}

RowNumbers rows_of(const Given& all, std::vector<double> weights = {}) {
  return learnable_rows(all.responses, all.table, "w", weights, kNoNotes);
}

TEST(LearnableRows, rows_without_any_response_are_left_out_with_a_word) {
  const double missing = std::nan("");
  Given all = given({1, 2, 3, 4});
  all.responses = {Responses{.y = {1, missing, missing, 2}, .columns = {}},
                   Responses{.y = {3, 4, missing, missing}, .columns = {}}};
  std::vector<std::string> notes;
  std::vector<double> weights;
  EXPECT_THAT(learnable_rows(all.responses, all.table, "", weights,
                             [&](const std::string& note) { notes.push_back(note); }),
              ElementsAre(0, 1, 3));
  EXPECT_THAT(notes, ElementsAre("1 of 4 rows of the table have no response and are left out"));
}

TEST(LearnableRows, rows_of_small_tables_are_sorted_by_their_cells) {
  EXPECT_THAT(rows_of(given({3, 1, 2})), ElementsAre(1, 2, 0));
}

TEST(LearnableRows, whole_weights_of_small_tables_are_repeats) {
  const std::vector<double> w = {2, 0, 3};
  std::vector<double> weights = w;
  const Given all = given({30, 20, 10}, w);
  EXPECT_THAT(learnable_rows(all.responses, all.table, "w", weights, kNoNotes),
              ElementsAre(2, 2, 2, 0, 0));
  EXPECT_THAT(weights, IsEmpty());
}

TEST(LearnableRows, other_weights_stay_weights) {
  const std::vector<double> w = {0.5, 2, 0};
  std::vector<double> weights = w;
  const Given all = given({30, 20, 10}, w);
  EXPECT_THAT(learnable_rows(all.responses, all.table, "w", weights, kNoNotes), ElementsAre(1, 0));
  EXPECT_EQ(weights, w);
}

TEST(LearnableRows, heavy_weights_do_not_make_a_small_table_large) {
  std::vector<double> weights = {1e9, 1};
  const Given all = given({2, 1}, weights);
  EXPECT_THAT(learnable_rows(all.responses, all.table, "w", weights, kNoNotes), ElementsAre(1, 0));
  EXPECT_EQ(weights.size(), 2u);
}

TEST(LearnableRows, large_tables_keep_their_order_and_weights) {
  std::vector<double> x(kSmallTable + 2);
  std::iota(x.begin(), x.end(), 0.0);
  std::shuffle(x.begin(), x.end(), std::mt19937(1));  // NOLINT(cert-msc51-cpp)
  std::vector<double> weights(x.size(), 2.0);
  weights[5] = 0;
  const Given all = given(x, weights);
  const RowNumbers rows = learnable_rows(all.responses, all.table, "w", weights, kNoNotes);
  EXPECT_EQ(rows.size(), x.size() - 1);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(weights.size(), x.size());
}

TEST(LearnableRows, texts_and_missing_cells_have_their_place) {
  Table table({Column{.name = "city",
                      .kind = ColumnKind::categorical,
                      .codes = {0, -1, 1, 0},
                      .levels = {"Ulm", "Bonn"}}});
  const std::vector<Responses> responses = {Responses{.y = {1, 2, 3, 4}, .columns = {}}};
  std::vector<double> weights;
  EXPECT_THAT(learnable_rows(responses, table, "", weights, kNoNotes), ElementsAre(2, 0, 3, 1));
}

}  // namespace
}  // namespace softwood
