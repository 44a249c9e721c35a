#include "data/encoder/encoder.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/reading.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = EncodedColumn::Kind;

std::vector<std::uint32_t> all_rows(const Table& table) {
  std::vector<std::uint32_t> rows(table.num_rows());
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

Encoder fit_all(const Table& table, EncoderOptions options = {}) {
  if (options.features.empty()) options.features = table.names();
  return Encoder::fit(table, all_rows(table), options);
}

std::vector<std::string> names_of(const Encoder& encoder) {
  std::vector<std::string> names;
  for (const EncodedColumn& column : encoder.columns()) names.push_back(column.name());
  return names;
}

std::vector<float> encoded(const Encoder& encoder, const Table& table, std::size_t column = 0,
                           int threads = 1) {
  const Rows rows = encoder.encode(table, threads);
  const auto positions = rows.view().row(column);
  return {positions.begin(), positions.end()};
}

/// Rows of `columns` columns with random-looking whole numbers.
Table numeric_table(std::size_t num_rows, std::size_t num_columns) {
  std::vector<Column> columns(num_columns);
  for (std::size_t column = 0; column < num_columns; ++column) {
    columns[column].name = fmt::format("x{}", column);
    for (std::size_t row = 0; row < num_rows; ++row) {
      columns[column].values.push_back(static_cast<double>(row * 7919 % 1009 + column));
    }
  }
  return Table(std::move(columns));
}

TEST(Encoder, numbers_become_positions_between_edges_and_missing_comes_last) {
  const Table table = read_csv_text("a,y\n1,0\n2,0\n4,1\n,1\n3,0\n");
  const Encoder encoder = fit_all(table, {.features = {"a"}, .bins = 2});
  const EncodedColumn& column = encoder.columns()[0];
  EXPECT_EQ(column.kind, Kind::curve);
  EXPECT_THAT(column.edges, ElementsAre(1, 2.5, 4));
  EXPECT_EQ(column.num_knots(), 4u);
  EXPECT_DOUBLE_EQ(column.mean, 2.5);
  EXPECT_DOUBLE_EQ(column.sd, std::sqrt(1.25));
  EXPECT_THAT(encoded(encoder, table), ElementsAre(0.0f, 2.0f / 3, 2.0f, 3.0f, 4.0f / 3));
}

TEST(Encoder, only_training_rows_are_looked_at) {
  const Table table = read_csv_text("a,b\n1,x\n2,x\n3,x\n4,y\n900,z\n900,z\n900,z\n");
  const std::vector<std::uint32_t> training = {0, 1, 2, 3};
  const Encoder encoder = Encoder::fit(table, training, {.features = {"a"}, .bins = 8});
  EXPECT_EQ(encoder.columns()[0].edges.back(), 4);
  EXPECT_EQ(encoded(encoder, table).back(), 3.0f);
}

TEST(Encoder, levels_are_sorted_and_rare_or_unseen_ones_are_other) {
  const Table table =
      read_csv_text("c,x\nred,1\nblue,1\nred,1\nblue,1\nred,1\nblue,1\ngreen,1\n,1\n");
  const Encoder encoder = fit_all(table, {.features = {"c"}});
  const EncodedColumn& column = encoder.columns()[0];
  EXPECT_EQ(column.kind, Kind::levels);
  EXPECT_THAT(column.levels, ElementsAre("blue", "red"));
  EXPECT_EQ(column.num_knots(), 4u);
  EXPECT_THAT(encoded(encoder, table), ElementsAre(1, 0, 1, 0, 1, 0, 2, 3));
  const Table later = read_csv_text("c,x\npink,1\nblue,1\nNA,1\n");
  EXPECT_THAT(encoded(encoder, later), ElementsAre(2, 0, 3));
}

TEST(Encoder, min_level_count_one_keeps_every_level) {
  const Table table = read_csv_text("c,x\na,1\nb,2\n");
  EXPECT_THAT(fit_all(table, {.features = {"c"}, .min_level_count = 1}).columns()[0].levels,
              ElementsAre("a", "b"));
}

TEST(Encoder, linear_columns_are_standardised_and_missing_is_zero) {
  const Table table = read_csv_text("a,c\n1,u\n3,u\n,v\n5,v\n3,v\n,u\n");
  const Encoder encoder = fit_all(table, {.linear = true});
  EXPECT_EQ(encoder.columns()[0].kind, Kind::linear);
  EXPECT_EQ(encoder.columns()[0].num_knots(), 0u);
  EXPECT_EQ(encoder.columns()[1].kind, Kind::levels);
  const float far = static_cast<float>(std::sqrt(2.0));
  EXPECT_THAT(encoded(encoder, table), ElementsAre(-far, 0, 0, far, 0, 0));
}

TEST(Encoder, huge_numbers_stay_finite) {
  const Table table = read_csv_text("a,b\n-1e308,1\n1e308,2\n1.5e308,3\n");
  const Encoder encoder = fit_all(table, {.features = {"a"}, .linear = true});
  EXPECT_TRUE(std::isfinite(encoder.columns()[0].sd));
  for (const float value : encoded(encoder, table)) EXPECT_LT(std::abs(value), 2.0f);
}

TEST(Encoder, columns_without_information_are_dropped_with_a_word) {
  const Table table = read_csv_text("same,none,word,good\n5,,x,1\n5,,x,2\n5,NA,x,3\n");
  const Encoder encoder = fit_all(table);
  EXPECT_THAT(names_of(encoder), ElementsAre("good"));
  EXPECT_THAT(encoder.left_out().constant, ElementsAre("same", "none", "word"));
}

TEST(Encoder, one_value_and_missing_cells_is_not_constant) {
  const Table table = read_csv_text("a,b\n5,x\n,\n5,x\n5,x\n");
  const Encoder encoder = fit_all(table);
  EXPECT_THAT(names_of(encoder), ElementsAre("a", "b"));
  EXPECT_THAT(encoded(encoder, table, 0), ElementsAre(0, 2, 0, 0));
  EXPECT_THAT(encoded(encoder, table, 1), ElementsAre(0, 2, 0, 0));
}

TEST(Encoder, an_id_is_dropped_and_called_one) {
  std::string text = "id,x\n";
  for (int row = 0; row < 20; ++row) text += fmt::format("p{},{}\n", row, row);
  const Encoder encoder = fit_all(read_csv_text(text));
  EXPECT_THAT(names_of(encoder), ElementsAre("x"));
  EXPECT_THAT(encoder.left_out().like_ids, ElementsAre("id"));
}

TEST(Encoder, no_feature_left_is_an_error) {
  const Table table = read_csv_text("a,b\n1,2\n1,2\n");
  EXPECT_THAT(error_of([&] { fit_all(table); }), HasSubstr("no feature is left"));
  EXPECT_THAT(error_of([&] { Encoder::fit(table, all_rows(table), {}); }),
              HasSubstr("no column is left"));
  EXPECT_THAT(error_of([&] { fit_all(table, {.features = {"aa"}}); }),
              HasSubstr("Did you mean 'a'?"));
  EXPECT_THAT(error_of([&] { fit_all(table, {.bins = -1}); }), HasSubstr("bins"));
}

TEST(Encoder, columns_come_in_the_tables_order) {
  const Table table = read_csv_text("a,b,c\n1,2,3\n4,5,6\n");
  EXPECT_THAT(names_of(fit_all(table, {.features = {"c", "a"}})), ElementsAre("a", "c"));
}

TEST(Encoder, the_default_number_of_bins_follows_rows_and_columns) {
  const auto bins = [](std::size_t rows, std::size_t columns) {
    return fit_all(numeric_table(rows, columns)).columns()[0].edges.size() - 1;
  };
  EXPECT_EQ(bins(1000, 16), 16u);
  EXPECT_EQ(bins(1000, 17), 8u);
  EXPECT_EQ(bins(1000, 64), 8u);
  EXPECT_EQ(bins(1000, 65), 4u);
  EXPECT_EQ(bins(100, 3), 6u);
  EXPECT_EQ(bins(10, 3), 1u);
  EXPECT_EQ(bins(40, 41), 1u);
}

TEST(Encoder, dates_become_parts_and_constant_parts_go_silently) {
  const Table days = read_csv_text("d,x\n2016-07-02,1\n2016-07-09,2\n2016-08-06,3\n");
  const Encoder encoder = fit_all(days, {.features = {"d"}});
  EXPECT_THAT(names_of(encoder), ElementsAre("d.time", "d.month", "d.day"));  // Saturdays of 2016
  EXPECT_TRUE(encoder.left_out().empty());
  const Table clock = read_csv_text("d,x\n2016-07-02 10:00,1\n2016-07-02 11:30,2\n");
  EXPECT_THAT(names_of(fit_all(clock, {.features = {"d"}})),
              ElementsAre("d.time", "d.hour", "d.minute"));
}

TEST(Encoder, a_missing_date_is_told_by_its_time_alone) {
  const Table table = read_csv_text("d,x\n2016-07-02,1\n,2\n");
  const Encoder encoder = fit_all(table, {.features = {"d"}});
  EXPECT_THAT(names_of(encoder), ElementsAre("d.time"));
  EXPECT_THAT(encoded(encoder, table), ElementsAre(0, 2));
}

TEST(Encoder, read_as_tells_how_training_read_the_columns) {
  const ReadOptions options{.read_as = {{"zip", {ColumnKind::categorical}}}};
  const Table table = read_csv_text(
      "zip,d,x,same\n1,13/01/2004,1,0\n2,01/01/2004,2,0\n1,02/03/2004,3,0\n1,02/03/2005,3,0\n",
      options);
  const auto read_as = fit_all(table).read_as();
  EXPECT_EQ(read_as.size(), 3u);
  EXPECT_EQ(read_as.at("zip").kind, ColumnKind::categorical);
  EXPECT_EQ(read_as.at("d").kind, ColumnKind::datetime);
  EXPECT_EQ(read_as.at("d").date_order, "dmy");
  EXPECT_EQ(read_as.at("x").kind, ColumnKind::numeric);
}

TEST(Encoder, a_missing_column_is_an_error_that_names_it) {
  const Encoder encoder = fit_all(read_csv_text("age,b\n1,2\n3,4\n"));
  EXPECT_THAT(error_of([&] { encoder.encode(read_csv_text("b,c\n1,2\n"), 1); }),
              HasSubstr("no column 'age' in test.csv"));
}

TEST(Encoder, text_where_a_number_is_expected_names_the_cell) {
  const Encoder encoder = fit_all(read_csv_text("age,b\n1,2\n3,4\n"));
  EXPECT_THAT(
      error_of([&] { encoder.encode(read_csv_text("age,b\n1,2\nold,3\n"), 1); }),
      HasSubstr("row 2 of test.csv: column 'age' holds 'old' where the model expects a number"));
  EXPECT_THAT(error_of([&] { encoder.encode(read_csv_text("age,b\n2001-01-01,2\n"), 1); }),
              HasSubstr("row 1 of test.csv: column 'age' holds '2001-01-01'"));
}

TEST(Encoder, levels_that_are_numbers_serve_as_numbers) {
  const Encoder encoder = fit_all(read_csv_text("age,b\n1,2\n3,4\n"), {.features = {"age"}});
  const Table texts =
      read_csv_text("age\n2\n 1\n", {.read_as = {{"age", {ColumnKind::categorical}}}});
  EXPECT_THAT(encoded(encoder, texts), ElementsAre(0.5f, 0.0f));
}

TEST(Encoder, text_where_a_date_is_expected_names_the_cell) {
  const Encoder encoder = fit_all(read_csv_text("d,b\n2001-01-01,2\n2003-01-01,4\n"));
  EXPECT_THAT(
      error_of([&] { encoder.encode(read_csv_text("d,b\n2001-01-01,2\nsoon,3\n"), 1); }),
      HasSubstr("row 2 of test.csv: column 'd' holds 'soon' where the model expects a date"));
  EXPECT_THAT(error_of([&] { encoder.encode(read_csv_text("d,b\n20010101,2\n"), 1); }),
              HasSubstr("column 'd' holds '20010101' where the model expects a date"));
  const Table nothing = read_csv_text("d,b\n,2\n");
  EXPECT_EQ(encoded(encoder, nothing)[0], 2.0f);
}

TEST(Encoder, infinite_values_name_row_and_column) {
  const Table table = read_csv_text("a,b\n1,1\n2,2\n3,-inf\ninf,3\n");
  EXPECT_THAT(error_of([&] { fit_all(table); }),
              HasSubstr("row 4 of test.csv: column 'a' is infinite"));
  const std::vector<std::uint32_t> training = {0, 1};
  const Encoder encoder = Encoder::fit(table, training, {.features = {"a", "b"}});
  EXPECT_THAT(error_of([&] { encoder.encode(table, 2); }),
              HasSubstr("row 4 of test.csv: column 'a' is infinite"));
}

TEST(Encoder, numbers_match_levels_by_their_shortest_text) {
  const ReadOptions as_text{.read_as = {{"c", {ColumnKind::categorical}}}};
  const Table training = read_csv_text("c\n1\n2.0\n1\n2.0\n02\n02\n", as_text);
  const Encoder encoder = fit_all(training, {.min_level_count = 2});
  EXPECT_THAT(encoder.columns()[0].levels, ElementsAre("02", "1", "2.0"));
  const Table numbers = read_csv_text("c\n1.0\n2\n3\n\n2\n");
  EXPECT_EQ(numbers.column("c").kind, ColumnKind::numeric);
  EXPECT_THAT(encoded(encoder, numbers), ElementsAre(1, 0, 3, 4, 0));
}

TEST(Encoder, threads_do_not_change_a_bit) {
  const Table table = numeric_table(100000, 5);
  const Encoder encoder = fit_all(table);
  const AlignedVector<float> one = encoder.encode(table, 1).positions;
  EXPECT_EQ(encoder.encode(table, 2).positions, one);
  EXPECT_EQ(encoder.encode(table, 3).positions, one);
}

TEST(Encoder, a_table_without_rows_encodes_to_nothing) {
  const Encoder encoder =
      fit_all(read_csv_text("a,c,d\n1,x,2001-01-01\n2,,2001-02-02\n3,x,\n4,x,\n"));
  const Rows rows = encoder.encode(read_csv_text("a,c,d\n"), 2);
  EXPECT_EQ(rows.num_rows, 0u);
  EXPECT_EQ(rows.num_columns, encoder.columns().size());
}

TEST(Encoder, the_description_is_one_aligned_line_per_column) {
  std::string text = "age,job,born\n";
  for (int row = 0; row < 40; ++row) {
    text += fmt::format("{},{},19{}-01-01\n", row + 17, row % 2 == 0 ? "clerk" : "smith", row + 10);
  }
  EXPECT_EQ(fit_all(read_csv_text(text), {.features = {"age", "job"}, .bins = 16}).describe(),
            "age  curve    16 bins  17 … 56\n"
            "job  levels  2: clerk, smith + other\n");
  EXPECT_THAT(fit_all(read_csv_text(text), {.features = {"born"}, .bins = 1}).describe(),
              HasSubstr("born.time     curve     1 bin   1910-01-01 … 1949-01-01\n"));
  EXPECT_EQ(fit_all(read_csv_text(text), {.features = {"age"}, .linear = true}).describe(),
            "age  linear  mean 36.5, sd 11.5434\n");
}

TEST(Encoder, a_fine_scale_keeps_the_coarse_edges) {
  const Table table = numeric_table(1000, 1);
  const Encoder coarse = fit_all(table, {.bins = 4});
  const Encoder both = fit_all(table, {.bins = 4, .fine_bins = 32});
  const EncodedColumn& column = both.columns()[0];
  EXPECT_THAT(coarse.columns()[0].coarse, ElementsAre());
  EXPECT_GT(column.edges.size(), 25u);
  std::vector<double> edges;
  for (const std::uint32_t edge : column.coarse) edges.push_back(column.edges.at(edge));
  EXPECT_EQ(edges, coarse.columns()[0].edges);
}

TEST(Encoder, scales_are_every_column_once_and_then_the_finer_ones) {
  const Table table = read_csv_text("a,c,b\n1,x,5\n2,y,6\n3,x,5\n4,y,6\n5,x,5\n6,y,5\n");
  const Encoder encoder = fit_all(table, {.bins = 2, .fine_bins = 8, .min_level_count = 1});
  std::vector<std::pair<std::uint32_t, bool>> scales;
  for (const ColumnScale& scale : encoder.scales())
    scales.emplace_back(scale.column, scale.is_coarse);
  // b has two values, so its coarse scale is the fine one already.
  EXPECT_THAT(scales, ElementsAre(std::pair(0u, true), std::pair(1u, false), std::pair(2u, false),
                                  std::pair(0u, false)));
}

}  // namespace
}  // namespace softwood
