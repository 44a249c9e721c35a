#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/reading.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A table and what was said while it was read.
struct Heard {
  Table table;
  std::vector<std::string> notes, warnings;
};

Heard hear(std::string_view text, ReadOptions options = {}) {
  Heard heard;
  options.on_note = [&](const std::string& note) { heard.notes.push_back(note); };
  options.on_warning = [&](const std::string& warning) { heard.warnings.push_back(warning); };
  heard.table = read_csv_text(text, options, 64);
  return heard;
}

/// A column `x` of these cells, one per line, beside a column `n` of 1, 2, ….
std::string column_of(const std::vector<std::string>& cells) {
  std::string text = "n;x\n";
  for (std::size_t row = 0; row < cells.size(); ++row) {
    text += fmt::format("{};{}\n", row + 1, cells[row]);
  }
  return text;
}

std::vector<std::string> numbers_to(int count) {
  std::vector<std::string> cells;
  for (int number = 1; number <= count; ++number) cells.push_back(std::to_string(number));
  return cells;
}

TEST(CsvNumbers, a_decimal_comma_is_found_and_said_once) {
  const Heard heard = hear("a;b;c\n0,9417;2,5;1.234\n-2,7;3;12.500\n");
  EXPECT_THAT(heard.table.column("a").values, ElementsAre(0.9417, -2.7));
  EXPECT_THAT(heard.table.column("b").values, ElementsAre(2.5, 3));
  EXPECT_THAT(heard.table.column("c").values, ElementsAre(1234, 12500));
  EXPECT_THAT(heard.notes, ElementsAre("numbers are written like '0,9417' in column 'a' (line 2): "
                                       "the comma is the decimal separator, found in 2 columns"));
  EXPECT_THAT(heard.warnings, IsEmpty());
}

TEST(CsvNumbers, thousands_are_found_and_said_once) {
  const Heard heard = hear("a;b\n1,234.50;0.5\n7;1.5\n");
  EXPECT_THAT(heard.table.column("a").values, ElementsAre(1234.5, 7));
  EXPECT_THAT(heard.notes, ElementsAre("numbers are written like '1,234.50' in column 'a' (line "
                                       "2): the comma separates thousands, found in 1 column"));
}

TEST(CsvNumbers, one_column_decides_for_another) {
  EXPECT_THAT(hear("a;b\n1,234;0.5\n").table.column("a").values, ElementsAre(1234));
  EXPECT_THAT(hear("a;b\n1,234;0,5\n").table.column("a").values, ElementsAre(1.234));
  EXPECT_THAT(hear("a;b\n1,234;1,234,567\n").table.column("a").values, ElementsAre(1234));
  EXPECT_THAT(hear("a;b\n1,234;1.234.567\n").table.column("a").values, ElementsAre(1.234));
}

TEST(CsvNumbers, where_both_readings_stand_the_user_is_asked) {
  const Heard heard = hear("a;b\n1,234;x\n2,500;y\n");
  EXPECT_EQ(heard.table.column("a").kind, ColumnKind::categorical);
  EXPECT_THAT(heard.warnings,
              ElementsAre("nothing in the table tells what the comma in '1,234' in column 'a' "
                          "(line 2) means: --decimal , reads 1.234, --thousands , reads 1234; "
                          "until then 'a' is a category"));
  EXPECT_THAT(hear("a;b\n1,234;x\n", {.decimal = ','}).table.column("a").values,
              ElementsAre(1.234));
  EXPECT_THAT(hear("a;b\n1,234;x\n", {.thousands = ','}).table.column("a").values,
              ElementsAre(1234));
}

TEST(CsvNumbers, where_both_readings_stand_a_column_of_numbers_is_refused) {
  const ReadOptions options{.read_as = {{"a", {ColumnKind::numeric}}}};
  EXPECT_EQ(error_of([&] { read_csv_text("a;b\n7;x\n1,234;x\n", options); }),
            "test.csv:3: column 'a': nothing tells how to read '1,234': --decimal . reads 1234, "
            "--decimal , reads 1.234.");
  EXPECT_THAT(read_csv_text("a;b\n7;0,5\n1,234;1\n", options).column("a").values,
              ElementsAre(7, 1.234));
}

TEST(CsvNumbers, contradictions_name_their_cells) {
  const Heard heard = hear("a;b\n1.5;1,5\n2.5;2,5\n");
  EXPECT_THAT(heard.table.column("a").values, ElementsAre(1.5, 2.5));
  EXPECT_EQ(heard.table.column("b").kind, ColumnKind::categorical);
  EXPECT_THAT(heard.warnings,
              ElementsAre("the decimal separators contradict each other: '1.5' in column 'a' (line "
                          "2) and '1,5' in column 'b' (line 2); 'b' is left as a category: "
                          "--decimal , or --decimal . decides"));
}

TEST(CsvNumbers, a_decision_against_a_column_reads_it_its_own_way_with_a_word) {
  const Heard heard = hear("a;b\n1.5;1,5\n2.5;2,5\n", {.decimal = ','});
  EXPECT_THAT(heard.table.column("a").values, ElementsAre(1.5, 2.5));
  EXPECT_THAT(heard.table.column("b").values, ElementsAre(1.5, 2.5));
  EXPECT_THAT(heard.warnings, ElementsAre(HasSubstr("column 'a' is read with the decimal point")));
}

TEST(CsvNumbers, a_column_that_contradicts_itself_is_left_alone) {
  const Heard heard = hear("a;b\n1.5;x\n2,5;x\n3.5;x\n4,5;x\n");
  EXPECT_EQ(heard.table.column("a").kind, ColumnKind::categorical);
  EXPECT_THAT(heard.warnings, ElementsAre(HasSubstr("contradict")));
}

TEST(CsvNumbers, a_column_of_points_that_are_probably_thousands_is_doubted) {
  const Heard heard = hear("a;b\n950;x\n1.234;y\n12.500;z\n");
  EXPECT_THAT(heard.table.column("a").values, ElementsAre(950, 1.234, 12.5));
  EXPECT_THAT(heard.warnings, ElementsAre(HasSubstr("--thousands . reads 1234")));
  EXPECT_THAT(hear("a;b\n950;x\n1.234;y\n", {.decimal = '.'}).warnings, IsEmpty());
  EXPECT_THAT(hear("a;b\n950;0.5\n1.234;1\n").warnings, IsEmpty());
  EXPECT_THAT(hear("a,b\n950,x\n1.234,y\n").warnings, IsEmpty());
  EXPECT_THAT(hear("a;b\n950;x\n1.234;y\n", {.thousands = '.'}).table.column("a").values,
              ElementsAre(950, 1234));
}

TEST(CsvNumbers, separators_that_cannot_go_together_are_refused) {
  const auto refused = [](char decimal, char thousands) {
    return error_of([&] { read_csv_text("a\n1\n", {.decimal = decimal, .thousands = thousands}); });
  };
  EXPECT_THAT(refused(',', ','), HasSubstr("they must differ"));
  EXPECT_THAT(refused('x', '\0'), HasSubstr("decimal is 'x'"));
  EXPECT_THAT(refused('\0', 'x'), HasSubstr("thousands is 'x'"));
}

TEST(CsvNumbers, a_few_strays_are_missing_and_named) {
  std::vector<std::string> cells = numbers_to(40);
  cells[16] = "abc";
  cells[20] = "1e";
  const Heard heard = hear(column_of(cells));
  const Column& column = heard.table.column("x");
  EXPECT_EQ(column.kind, ColumnKind::numeric);
  EXPECT_TRUE(column.is_missing(16));
  EXPECT_EQ(column.values[39], 40);
  EXPECT_THAT(heard.warnings,
              ElementsAre("column 'x': 2 of 40 cells are no numbers and count as missing: 'abc' "
                          "(line 18), '1e' (line 22); --categorical x reads the column as "
                          "categories"));
}

/// Whether a column of `numbers` numbers and so many strays is one of numbers.
bool is_numeric_with(int numbers, int strays, const std::string& stray) {
  std::vector<std::string> cells = numbers_to(numbers);
  for (int index = 0; index < strays; ++index) cells.push_back(stray);
  return hear(column_of(cells)).table.column("x").kind == ColumnKind::numeric;
}

TEST(CsvNumbers, one_stray_word_in_ten_and_one_stray_code_in_a_hundred_are_let_pass) {
  EXPECT_TRUE(is_numeric_with(90, 10, "abc"));
  EXPECT_FALSE(is_numeric_with(89, 11, "abc"));
  EXPECT_TRUE(is_numeric_with(198, 2, "V45"));
  EXPECT_FALSE(is_numeric_with(197, 3, "V45"));
  EXPECT_TRUE(is_numeric_with(4, 1, "abc"));
  EXPECT_TRUE(is_numeric_with(4, 1, "3+"));
  EXPECT_FALSE(is_numeric_with(3, 1, "abc"));
  EXPECT_FALSE(is_numeric_with(8, 2, "3+"));
}

TEST(CsvNumbers, weak_missing_texts_are_missing_among_numbers_and_levels_among_texts) {
  const Heard heard = hear("a;b;c;d\n1;x;-;2020-01-01\n-;None;-;-\nNone;-;-;2020-01-02\n");
  EXPECT_THAT(texts_of(heard.table.column("a")), ElementsAre("1", "", ""));
  EXPECT_THAT(texts_of(heard.table.column("b")), ElementsAre("x", "None", "-"));
  EXPECT_THAT(texts_of(heard.table.column("c")), ElementsAre("-", "-", "-"));
  EXPECT_THAT(texts_of(heard.table.column("d")), ElementsAre("2020-01-01", "", "2020-01-02"));
  EXPECT_THAT(heard.warnings, IsEmpty());
}

TEST(CsvNumbers, stray_cells_among_dates_are_missing) {
  std::string text = "d;x\n";
  for (int day = 10; day < 30; ++day) text += fmt::format("{}.03.2020;1\n", day);
  const Heard heard = hear(text + "soon;1\n");
  EXPECT_EQ(heard.table.column("d").kind, ColumnKind::datetime);
  EXPECT_EQ(heard.table.column("d").date_order, "dmy");
  EXPECT_THAT(heard.warnings, ElementsAre(HasSubstr("1 of 21 cells is no date and counts as "
                                                    "missing: 'soon' (line 22)")));
}

TEST(CsvNumbers, money_and_percent_get_a_word) {
  const Heard heard = hear("a;b;c\n$5;12 %;$5\n$1,200.50;7%;€5\n");
  EXPECT_THAT(heard.table.column("a").values, ElementsAre(5, 1200.5));
  EXPECT_THAT(heard.table.column("b").values, ElementsAre(12, 7));
  EXPECT_EQ(heard.table.column("c").kind, ColumnKind::categorical);
  EXPECT_THAT(heard.notes,
              ElementsAre(HasSubstr("the comma separates thousands"),
                          "column 'a': the currency $ is dropped",
                          "column 'b': percent signs are dropped, '12 %' (line 2) is 12"));
  EXPECT_THAT(heard.warnings, ElementsAre(HasSubstr("column 'c' holds amounts in several "
                                                    "currencies ($, €)")));
  EXPECT_THAT(hear("a;b\n5 %;x\n0.5;x\n").warnings,
              ElementsAre(HasSubstr("other cells, such as '0.5', have none")));
}

TEST(CsvNumbers, a_total_row_gets_a_word) {
  const std::string rows = "region;n\nNorth;1\nSouth;2\nWest;3\n";
  EXPECT_THAT(hear(rows + "TOTAL:;6\n").warnings,
              ElementsAre("the last row looks like the sum of the others: 'TOTAL:' in column "
                          "'region' (line 5); remove it, or it counts like any other row"));
  EXPECT_THAT(hear(rows).warnings, IsEmpty());
  EXPECT_THAT(hear("kind;n\ntotal;1\nnet;2\ntotal;3\n").warnings, IsEmpty());
  const Heard heard = hear("n;x\n1;1\n2;2\n3;3\n4;4\nGesamt;10\n");
  EXPECT_EQ(heard.table.column("n").kind, ColumnKind::numeric);
  EXPECT_THAT(heard.warnings,
              ElementsAre(HasSubstr("1 of 5 cells is no number"), HasSubstr("'Gesamt'")));
}

TEST(CsvNumbers, the_sink_of_warnings_can_end_the_reading) {
  ReadOptions options;
  options.on_warning = [](const std::string& text) { throw Error(text + " (strict)"); };
  EXPECT_THAT(error_of([&] { read_csv_text("a;b\n1,234;x\n", options); }), HasSubstr("(strict)"));
}

}  // namespace
}  // namespace softwood
