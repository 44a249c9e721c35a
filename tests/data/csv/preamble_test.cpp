#include <gtest/gtest.h>

#include "data/reading.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(CsvPreamble, excels_line_names_the_delimiter) {
  const Table table = read_csv_text("sep=;\na;b,c\n1;2\n");
  EXPECT_THAT(table.names(), ElementsAre("a", "b,c"));
  EXPECT_THAT(table.column("a").values, ElementsAre(1));
  EXPECT_THAT(read_csv_text("\"SEP=|\"\r\na|b\r\n1|2\r\n").names(), ElementsAre("a", "b"));
  EXPECT_THAT(read_csv_text("sep=;\na,b\n1,2\n", {.delimiter = ','}).names(),
              ElementsAre("a", "b"));
}

TEST(CsvPreamble, lines_keep_their_numbers) {
  EXPECT_THAT(error_of([] { read_csv_text("sep=;\n# c\na;b\n1;2\n1\n"); }),
              HasSubstr("test.csv:5: 1 field where 2 are expected"));
}

TEST(CsvPreamble, comments_before_the_header_are_skipped) {
  const Table table = read_csv_text("# made by hand\n#\n# a, b, c\n\nid,x\n1,2\n");
  EXPECT_THAT(table.names(), ElementsAre("id", "x"));
  EXPECT_THAT(table.column("x").values, ElementsAre(2));
}

TEST(CsvPreamble, a_header_may_begin_with_the_sign_of_comments) {
  EXPECT_THAT(read_csv_text("#id,name\n1,a\n2,b\n").names(), ElementsAre("#id", "name"));
  EXPECT_THAT(read_csv_text("#id\n1\n2\n").names(), ElementsAre("#id"));
  EXPECT_THAT(read_csv_text("# written today\n#id,x\n1,2\n").names(), ElementsAre("#id", "x"));
}

TEST(CsvPreamble, rows_may_begin_with_the_sign_of_comments_too) {
  const Table table = read_csv_text("#colour,n\n#ff0000,1\nred,2\n");
  EXPECT_THAT(table.names(), ElementsAre("#colour", "n"));
  EXPECT_EQ(table.num_rows(), 2u);
}

TEST(CsvPreamble, numpys_header_is_one) {
  const Table table = read_csv_text("# x,y\n1.5,2\n3,4\n");
  EXPECT_THAT(table.names(), ElementsAre("x", "y"));
  EXPECT_EQ(table.num_rows(), 2u);
}

TEST(CsvPreamble, a_comment_with_as_many_fields_as_a_header_is_one_all_the_same) {
  const Table table = read_csv_text("# by hand, in May\nid,x\n1,2\n");
  EXPECT_THAT(table.names(), ElementsAre("id", "x"));
}

TEST(CsvPreamble, without_a_header_rows_may_begin_with_the_sign_of_comments) {
  const Table table = read_csv_text("# colours\n#ff0000,1\n#00ff00,2\n", {.header = false});
  EXPECT_THAT(texts_of(table.column("x1")), ElementsAre("#ff0000", "#00ff00"));
}

TEST(CsvPreamble, decimal_commas_are_no_delimiters) {
  const Table table = read_csv_text("1,5;2,5;3,5\n4,5;5,5;6,5\n", {.header = false});
  EXPECT_THAT(table.column("x3").values, ElementsAre(3.5, 6.5));
}

}  // namespace
}  // namespace softwood
