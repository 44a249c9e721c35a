#include "data/csv/reader.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "data/reading.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string csv_error(std::string_view text, const ReadOptions& options = {}) {
  return error_of([&] { read_csv_text(text, options); });
}

TEST(CsvReader, a_plain_table_is_read) {
  const Table table = read_csv_text("age,job\n31,clerk\n45,smith\n");
  EXPECT_EQ(table.origin, "test.csv");
  EXPECT_THAT(table.names(), ElementsAre("age", "job"));
  EXPECT_EQ(table.column("age").kind, ColumnKind::numeric);
  EXPECT_THAT(table.column("age").values, ElementsAre(31, 45));
  EXPECT_EQ(table.column("job").kind, ColumnKind::categorical);
  EXPECT_THAT(table.column("job").levels, ElementsAre("clerk", "smith"));
  EXPECT_THAT(table.column("job").codes, ElementsAre(0, 1));
}

TEST(CsvReader, quotes_hold_delimiters_line_ends_and_quotes) {
  const Table table = read_csv_text("a,b\n\"x, \"\"y\"\"\nz\",1\n\"\"\"\",2\n");
  EXPECT_THAT(texts_of(table.column("a")), ElementsAre("x, \"y\"\nz", "\""));
  EXPECT_THAT(table.column("b").values, ElementsAre(1, 2));
}

TEST(CsvReader, windows_line_ends_and_a_missing_last_line_end_change_nothing) {
  const Table table = read_csv_text("a,b\r\n1,x\r\n2,\"y\"\r\n3,");
  EXPECT_THAT(table.column("a").values, ElementsAre(1, 2, 3));
  EXPECT_THAT(texts_of(table.column("b")), ElementsAre("x", "y", ""));
}

TEST(CsvReader, missing_tokens_are_missing_quoted_or_not) {
  const Table table = read_csv_text("a,b\n,NA\nnull,x\n\"NaN\",?\n4,\"\"\n");
  EXPECT_TRUE(table.column("a").is_missing(0));
  EXPECT_TRUE(table.column("a").is_missing(2));
  EXPECT_EQ(table.column("a").values[3], 4);
  EXPECT_THAT(table.column("b").codes, ElementsAre(-1, 0, -1, -1));
}

TEST(CsvReader, numbers_may_be_quoted_or_surrounded_by_blanks) {
  const Table table = read_csv_text("a,b\n\" 1\",  2.5 \n \"3\" ,+4\n");
  EXPECT_THAT(table.column("a").values, ElementsAre(1, 3));
  EXPECT_THAT(table.column("b").values, ElementsAre(2.5, 4));
}

TEST(CsvReader, unquoted_texts_are_trimmed_and_quoted_ones_kept) {
  const Table table = read_csv_text("a, b \n x ,\" y \"\n");
  EXPECT_EQ(table.column("a").text(0), "x");
  EXPECT_EQ(table.column("b").text(0), " y ");
}

TEST(CsvReader, the_kind_follows_from_all_rows_not_the_first) {
  std::string text = "a,b\n";
  for (int row = 0; row < 1000; ++row) text += row % 5 == 4 ? "x,2\n" : "1,2\n";
  const Table table = read_csv_text(text, {}, 64);
  EXPECT_EQ(table.column("a").kind, ColumnKind::categorical);
  EXPECT_THAT(table.column("a").levels, ElementsAre("1", "x"));
  EXPECT_EQ(table.column("b").kind, ColumnKind::numeric);
}

TEST(CsvReader, a_column_without_values_is_numeric) {
  const Table table = read_csv_text("a,b\n,1\nNA,2\n");
  EXPECT_EQ(table.column("a").kind, ColumnKind::numeric);
  EXPECT_TRUE(table.column("a").is_missing(1));
}

TEST(CsvReader, infinite_numbers_are_numbers) {
  const Table table = read_csv_text("a,b\ninf,1\n-Infinity,1\n1e999,1\n");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(table.column("a").values, ElementsAre(kInfinity, -kInfinity, kInfinity));
}

TEST(CsvReader, dates_are_found_with_their_order) {
  const Table table =
      read_csv_text("d,e,f\n2016-07-02,13/01/2004,20160702\n,01/02/2004,20160703\n");
  EXPECT_EQ(table.column("d").kind, ColumnKind::datetime);
  EXPECT_EQ(table.column("d").date_order, "ymd");
  EXPECT_THAT(texts_of(table.column("d")), ElementsAre("2016-07-02", ""));
  EXPECT_EQ(table.column("e").date_order, "dmy");
  EXPECT_THAT(texts_of(table.column("e")), ElementsAre("2004-01-13", "2004-02-01"));
  EXPECT_EQ(table.column("f").kind, ColumnKind::numeric);
}

TEST(CsvReader, delimiters_are_detected) {
  EXPECT_THAT(read_csv_text("a;b\n1,5;2\n3;4,5\n").names(), ElementsAre("a", "b"));
  EXPECT_THAT(read_csv_text("a\tb c\n1\t2\n").names(), ElementsAre("a", "b c"));
  EXPECT_THAT(read_csv_text("a|b|c\n1|2|3\n").names(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(read_csv_text("\"a;b;c\",d\n1,2\n").names(), ElementsAre("a;b;c", "d"));
  EXPECT_THAT(read_csv_text("a\n1\n2\n").names(), ElementsAre("a"));
}

TEST(CsvReader, a_given_delimiter_is_obeyed) {
  EXPECT_THAT(read_csv_text("a b;c\n1 2;3\n", {.delimiter = ' '}).names(), ElementsAre("a", "b;c"));
  EXPECT_THAT(csv_error("a\n1\n", {.delimiter = '"'}), HasSubstr("delimiter"));
}

TEST(CsvReader, tabs_between_empty_cells_count) {
  const Table table = read_csv_text("a\tb\tc\n\t\t3\n1\t\t\n");
  EXPECT_TRUE(table.column("a").is_missing(0));
  EXPECT_EQ(table.column("c").values[0], 3);
  EXPECT_EQ(table.num_rows(), 2u);
}

TEST(CsvReader, without_a_header_columns_are_numbered) {
  const Table table = read_csv_text("1,x\n2,y\n", {.header = false});
  EXPECT_THAT(table.names(), ElementsAre("x1", "x2"));
  EXPECT_THAT(table.column("x1").values, ElementsAre(1, 2));
}

TEST(CsvReader, a_column_without_a_name_gets_one_by_its_place) {
  EXPECT_THAT(read_csv_text(",b,\n1,2,3\n").names(), ElementsAre("x1", "b", "x3"));
}

TEST(CsvReader, repeated_names_are_an_error) {
  EXPECT_EQ(csv_error("a,b,a\n1,2,3\n"),
            "test.csv:1: columns 1 and 3 are both called 'a'. Rename one of them.");
}

TEST(CsvReader, a_header_alone_is_a_table_without_rows) {
  const Table table = read_csv_text("a,b\n");
  EXPECT_EQ(table.num_rows(), 0u);
  EXPECT_EQ(table.columns().size(), 2u);
}

TEST(CsvReader, blank_lines_are_skipped) {
  const Table table = read_csv_text("\n\na,b\n\n1,2\n  \n\r\n3,4\n\n\n");
  EXPECT_THAT(table.column("a").values, ElementsAre(1, 3));
}

TEST(CsvReader, in_a_single_column_a_blank_line_is_a_missing_cell_except_at_the_end) {
  const Table table = read_csv_text("a\n1\n\n3\n\n\n");
  EXPECT_EQ(table.num_rows(), 3u);
  EXPECT_TRUE(table.column("a").is_missing(1));
  EXPECT_EQ(table.column("a").values[2], 3);
}

TEST(CsvReader, only_blank_lines_are_an_empty_file) {
  EXPECT_EQ(csv_error("\n  \n\n"), "'test.csv' is empty.");
}

TEST(CsvReader, a_wrong_number_of_fields_names_the_line_and_both_numbers) {
  EXPECT_THAT(csv_error("a,b,c\n1,2,3\n1,2\n"),
              HasSubstr("test.csv:3: 2 fields where 3 are expected."));
  EXPECT_THAT(csv_error("a,b\n\"x\ny\",2\n1,2,3\n"),
              HasSubstr("test.csv:4: 3 fields where 2 are expected."));
}

TEST(CsvReader, bad_quotes_name_the_line) {
  EXPECT_THAT(csv_error("a,b\n1,2\n\"x,3\n4,5\n"), HasSubstr("test.csv:3: a quote opens here"));
  EXPECT_THAT(csv_error("a,b\n\"x\"y,3\n"), HasSubstr("test.csv:2: text follows a closing quote"));
}

TEST(CsvReader, a_quote_inside_an_unquoted_cell_is_a_letter) {
  const Table table = read_csv_text("a,b\n5\" pipe,1\nx,2\n");
  EXPECT_THAT(texts_of(table.column("a")), ElementsAre("5\" pipe", "x"));
}

TEST(CsvReader, a_nul_byte_is_an_error) {
  EXPECT_THAT(csv_error(std::string_view("a,b\n1,2\n3,\0\n", 12)),
              HasSubstr("test.csv:3: a NUL byte"));
  EXPECT_THAT(csv_error(std::string_view("a,\0\n1,2\n", 8)), HasSubstr("test.csv:1: a NUL byte"));
}

TEST(CsvReader, a_column_that_must_be_numeric_names_the_bad_cell) {
  EXPECT_EQ(csv_error("id,age\n1,30\n2,abc\n", {.read_as = {{"age", {ColumnKind::numeric}}}}),
            "test.csv:3: column 'age': 'abc' is not a number. Fix the cell, read on without it "
            "(--on-error missing or skip), or train with the column as categories: --categorical "
            "age.");
}

TEST(CsvReader, true_and_false_are_one_and_zero_only_in_a_column_that_must_be_numeric) {
  const std::string text = "a,b\nTrue,1\nFALSE,1\n true ,1\n\"false\",1\nNA,1\n2,1\n";
  const ReadOptions options{.read_as = {{"a", {ColumnKind::numeric}}}};
  EXPECT_THAT(texts_of(read_csv_text(text, options).column("a")),
              ElementsAre("1", "0", "1", "0", "", "2"));
  EXPECT_THAT(read_csv_text(text).column("a").levels,
              ElementsAre("True", "FALSE", "true", "false", "2"));
}

TEST(CsvReader, a_column_that_must_be_a_date_names_the_bad_cell) {
  const ReadOptions options{.read_as = {{"day", {ColumnKind::datetime, "dmy"}}}};
  EXPECT_EQ(read_csv_text("day,x\n01/02/2004,1\n", options).column("day").text(0), "2004-02-01");
  EXPECT_THAT(csv_error("day,x\n01/02/2004,1\n\n01/13/2004,2\n", options),
              HasSubstr("test.csv:4: column 'day': '01/13/2004' is not a date written dmy."));
}

TEST(CsvReader, categories_keep_their_text_when_the_user_says_so) {
  const ReadOptions options{.read_as = {{"zip", {ColumnKind::categorical}}, {"gone", {}}}};
  const Table table = read_csv_text("zip,x\n01234,1\n1234,2\n01234,3\n", options);
  EXPECT_THAT(table.column("zip").levels, ElementsAre("01234", "1234"));
  EXPECT_THAT(table.column("zip").codes, ElementsAre(0, 1, 0));
}

TEST(CsvReader, latin1_becomes_utf8) {
  const Table table = read_csv_text("a,b\nM\xFCnchen,1\nMünchen,2\n");
  EXPECT_THAT(table.column("a").levels, ElementsAre("München"));
}

}  // namespace
}  // namespace softwood
