#include "data/arff/reader.h"

#include <cmath>

#include <gtest/gtest.h>

#include "data/reading.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string arff_error(std::string_view text, const ReadOptions& options = {}) {
  return error_of([&] { read_arff_text(text, options); });
}

TEST(ArffReader, all_kinds_of_attributes_are_read) {
  const Table table = read_arff_text(
      "% a comment\n"
      "@RELATION 'some weather'\n"
      "@attribute temperature REAL\n"
      "@Attribute 'wind speed' numeric % km/h\n"
      "@attribute sky {sunny, 'partly cloudy', rain}\r\n"
      "@attribute note string\n"
      "@attribute day date\n"
      "\n"
      "@DATA\n"
      "21.5, 3, 'partly cloudy', 'it\\'s 50%', \"2016-07-02T10:30:00\"\n"
      "% another\n"
      "?,+4,rain,dry,2016-07-03\n");
  EXPECT_EQ(table.origin, "test.arff");
  EXPECT_THAT(table.names(), ElementsAre("temperature", "wind speed", "sky", "note", "day"));
  EXPECT_EQ(table.column("temperature").values[0], 21.5);
  EXPECT_TRUE(table.column("temperature").is_missing(1));
  EXPECT_THAT(table.column("wind speed").values, ElementsAre(3, 4));
  EXPECT_THAT(table.column("sky").levels, ElementsAre("sunny", "partly cloudy", "rain"));
  EXPECT_THAT(table.column("sky").codes, ElementsAre(1, 2));
  EXPECT_THAT(texts_of(table.column("note")), ElementsAre("it's 50%", "dry"));
  EXPECT_EQ(table.column("day").kind, ColumnKind::datetime);
  EXPECT_THAT(texts_of(table.column("day")), ElementsAre("2016-07-02T10:30:00", "2016-07-03"));
}

TEST(ArffReader, dates_follow_their_declared_format) {
  const Table table =
      read_arff_text("@attribute d date \"dd/MM/yyyy HH:mm\"\n@data\n'02/07/2016 10:30'\n?\n");
  EXPECT_THAT(texts_of(table.column("d")), ElementsAre("2016-07-02T10:30:00", ""));
  EXPECT_EQ(table.column("d").date_order, "dmy");
}

TEST(ArffReader, sparse_rows_leave_out_zeros_and_first_levels) {
  const Table table = read_arff_text(
      "@attribute a numeric\n@attribute b {no,yes}\n@attribute c numeric\n@attribute d string\n"
      "@data\n{0 3.5, 1 yes}\n{}\n{ 2 ?, 3 'x, y' }\n");
  EXPECT_THAT(table.column("a").values, ElementsAre(3.5, 0, 0));
  EXPECT_THAT(texts_of(table.column("b")), ElementsAre("yes", "no", "no"));
  EXPECT_EQ(table.column("c").values[1], 0);
  EXPECT_TRUE(table.column("c").is_missing(2));
  EXPECT_THAT(texts_of(table.column("d")), ElementsAre("", "", "x, y"));
}

TEST(ArffReader, what_a_sparse_row_leaves_out_is_meant_as_the_file_declares_it) {
  const Table table =
      read_arff_text("@attribute a numeric\n@attribute b {5,6}\n@data\n{}\n{0 7, 1 6}\n",
                     {.read_as = {{"a", {ColumnKind::categorical}}, {"b", {ColumnKind::numeric}}}});
  EXPECT_THAT(texts_of(table.column("a")), ElementsAre("0", "7"));
  EXPECT_THAT(table.column("b").values, ElementsAre(5, 6));
}

TEST(ArffReader, sparse_rows_are_the_dense_ones_that_they_stand_for) {
  const std::string header =
      "@attribute a numeric\n@attribute b {x,y}\n@attribute c string\n@attribute d date\n"
      "@attribute e {}\n@attribute f {1,2}\n@attribute g numeric\n@data\n";
  const ReadOptions options{
      .read_as = {{"f", {ColumnKind::numeric}}, {"g", {ColumnKind::categorical}}}};
  const Table sparse = read_arff_text(
      header + "{}\n{6 7, 1 y}\n4,y,t,2020-01-01,?,2,3\n{0 ?, 2 u}\n{3 2021-02-03, 5 2}\n{}\n",
      options);
  const Table dense = read_arff_text(header +
                                         "0,x,?,?,?,1,0\n0,y,?,?,?,1,7\n4,y,t,2020-01-01,?,2,3\n"
                                         "?,x,u,?,?,1,0\n0,x,?,2021-02-03,?,2,0\n0,x,?,?,?,1,0\n",
                                     options);
  for (const std::string& name : dense.names())
    EXPECT_EQ(texts_of(sparse.column(name)), texts_of(dense.column(name))) << name;
}

TEST(ArffReader, what_every_sparse_row_leaves_out_may_be_a_mistake_of_each) {
  const Table table =
      read_arff_text("@attribute a numeric\n@attribute b {x,2}\n@data\n{0 1}\n{1 2}\n{}\n",
                     {.on_error = OnError::skip, .read_as = {{"b", {ColumnKind::numeric}}}});
  EXPECT_THAT(table.column("b").values, ElementsAre(2));
}

TEST(ArffReader, the_numbers_of_sparse_rows_have_a_limit) {
  const std::string header = "@attribute a numeric\n@attribute b numeric\n@data\n";
  const ReadOptions options{.most_bytes = 4 * sizeof(double)};
  EXPECT_EQ(read_arff_text(header + "{}\n{}\n", options).num_rows(), 2u);
  EXPECT_THAT(error_of([&] { read_arff_text(header + "{}\n{}\n{}\n", options); }),
              HasSubstr("test.arff:6: the numbers of 2 attributes"));
  EXPECT_EQ(read_arff_text(header + "1,2\n1,2\n1,2\n", options).num_rows(), 3u);
}

TEST(ArffReader, values_may_be_separated_by_blanks) {
  const Table table =
      read_arff_text("@attribute a numeric\n@attribute b{x y 'z w'}\n@data\n1 x\n2\t'z w'\n");
  EXPECT_THAT(table.column("a").values, ElementsAre(1, 2));
  EXPECT_THAT(texts_of(table.column("b")), ElementsAre("x", "z w"));
}

TEST(ArffReader, a_declared_level_is_a_level_even_if_it_looks_missing) {
  const Table table =
      read_arff_text("@attribute a {NA,?,x}\n@attribute b numeric\n@data\nNA,1\n?,1\n'?',1\n");
  EXPECT_THAT(table.column("a").codes, ElementsAre(0, -1, 1));
}

TEST(ArffReader, quoted_names_keep_what_is_inside) {
  const Table table =
      read_arff_text("@attribute \"'fare'l1\" numeric\n@attribute 'a\\'b' numeric\n@data\n1,2\n");
  EXPECT_THAT(table.names(), ElementsAre("'fare'l1", "a'b"));
}

TEST(ArffReader, the_users_word_goes_before_the_files) {
  const std::string_view text =
      "@attribute code numeric\n@attribute grade {1,2,3}\n@attribute day string\n@data\n"
      "007,3,01/02/2004\n7,?,13/02/2004\n";
  const Table table = read_arff_text(text, {.read_as = {{"code", {ColumnKind::categorical}},
                                                        {"grade", {ColumnKind::numeric}},
                                                        {"day", {ColumnKind::datetime}}}});
  EXPECT_THAT(texts_of(table.column("code")), ElementsAre("007", "7"));
  EXPECT_EQ(table.column("grade").kind, ColumnKind::numeric);
  EXPECT_EQ(table.column("grade").values[0], 3);
  EXPECT_EQ(table.column("day").date_order, "dmy");
  EXPECT_THAT(arff_error(text, {.read_as = {{"day", {ColumnKind::datetime, "mdy"}}}}),
              HasSubstr("row 2 of test.arff: column 'day': '13/02/2004' is not a date"));
}

TEST(ArffReader, bad_cells_name_line_and_column) {
  const std::string header =
      "@attribute age numeric\n@attribute sex {f,m}\n@attribute d date\n@data\n";
  EXPECT_THAT(arff_error(header + "1,f,?\nabc,m,?\n"),
              HasSubstr("test.arff:6: column 'age': 'abc' is not a number."));
  EXPECT_THAT(arff_error(header + "1,x,?\n"),
              HasSubstr("test.arff:5: column 'sex': 'x' is not among the levels"));
  EXPECT_THAT(arff_error(header + "1,f,soon\n"), HasSubstr("column 'd': 'soon' is not a date"));
  EXPECT_THAT(arff_error(header + "1,f\n"),
              HasSubstr("test.arff:5: 2 values, but the header declares 3"));
  EXPECT_THAT(arff_error(header + "1,'f,?\n"), HasSubstr("never closes"));
  EXPECT_THAT(arff_error(header + "1,'f'x,?\n"), HasSubstr("text follows a closing quote"));
}

TEST(ArffReader, bad_sparse_rows_are_errors) {
  const std::string header = "@attribute a numeric\n@attribute b numeric\n@data\n";
  EXPECT_THAT(arff_error(header + "{2 1}\n"), HasSubstr("'2' is no attribute number"));
  EXPECT_THAT(arff_error(header + "{x 1}\n"), HasSubstr("'x' is no attribute number"));
  EXPECT_THAT(arff_error(header + "{0 1, 0 2}\n"), HasSubstr("written twice"));
  EXPECT_THAT(arff_error(header + "{0 1\n"), HasSubstr("does not end with a brace"));
}

TEST(ArffReader, instance_weights_are_refused) {
  const std::string header = "@attribute a numeric\n@attribute b numeric\n@data\n";
  EXPECT_THAT(arff_error(header + "1,2,{5}\n"), HasSubstr("weights"));
  EXPECT_THAT(arff_error(header + "{0 1}, {5}\n"), HasSubstr("weights"));
}

TEST(ArffReader, bad_headers_are_errors) {
  EXPECT_THAT(arff_error("@relation x\n@attribute a numeric\n"), HasSubstr("it has no @data"));
  EXPECT_THAT(arff_error("@data\n1\n"), HasSubstr("@data without any @attribute"));
  EXPECT_THAT(arff_error("a,b\n1,2\n"), HasSubstr("test.arff:1: this is no ARFF header"));
  EXPECT_THAT(arff_error("@attribute a relational\n@data\n"), HasSubstr("is of type 'relational'"));
  EXPECT_THAT(arff_error("@attribute a {x,y\n@data\n"), HasSubstr("closing brace"));
  EXPECT_THAT(arff_error("@attribute a date 'EEE'\n@data\n"), HasSubstr("date format 'EEE'"));
  EXPECT_THAT(arff_error("@attribute a real\n@attribute a real\n@data\n"), HasSubstr("called 'a'"));
  EXPECT_THAT(arff_error("@attribute\n@data\n"), HasSubstr("without a name"));
  EXPECT_THAT(arff_error(std::string_view("@attribute a real\n@data\n\0\n", 27)), HasSubstr("NUL"));
}

TEST(ArffReader, a_file_without_rows_keeps_its_columns) {
  const Table table = read_arff_text("@attribute a real\n@attribute b {}\n@data\n");
  EXPECT_EQ(table.num_rows(), 0u);
  EXPECT_EQ(table.columns().size(), 2u);
}

TEST(ArffReader, true_and_false_are_one_and_zero_where_numbers_are_wanted) {
  const Table table = read_arff_text("@attribute a {True,False}\n@data\nFalse\n?\nTrue\n",
                                     {.read_as = {{"a", {ColumnKind::numeric}}}});
  EXPECT_THAT(texts_of(table.column("a")), ElementsAre("0", "", "1"));
}

}  // namespace
}  // namespace softwood
