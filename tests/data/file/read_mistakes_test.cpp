#include "data/file/read_mistakes.h"

#include "data/reading.h"
#include "data/table/settle_frame.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Options that note what the reading says.
struct Lenient {
  ReadOptions options;
  std::vector<std::string> warnings;
  std::vector<std::size_t> skipped;

  explicit Lenient(OnError on_error) {
    options.on_error = on_error;
    options.read_as = {{"age", {ColumnKind::numeric, {}}}, {"day", {ColumnKind::datetime, "dmy"}}};
    options.on_warning = [this](const std::string& text) { warnings.push_back(text); };
    options.on_skip = [this](std::size_t row) { skipped.push_back(row); };
  }
};

constexpr const char* kBadCells =
    "age,day,job\n"
    "31,01.02.2020,clerk\n"
    "old,02.02.2020,smith\n"
    "45,soon,baker\n"
    "46,03.02.2020,cook\n";

TEST(ReadMistakes, bad_cells_count_as_missing_and_one_warning_names_them) {
  Lenient lenient(OnError::missing);
  const Table table = read_csv_text(kBadCells, lenient.options);
  EXPECT_THAT(texts_of(table.column("age")), ElementsAre("31", "", "45", "46"));
  EXPECT_THAT(texts_of(table.column("day")),
              ElementsAre("2020-02-01", "2020-02-02", "", "2020-02-03"));
  EXPECT_THAT(lenient.warnings,
              ElementsAre("test.csv: 2 mistakes in 2 of 4 rows, read as missing: line 3, column "
                          "'age': 'old' is not a number; line 4, column 'day': 'soon' is not a "
                          "date"));
  EXPECT_THAT(lenient.skipped, IsEmpty());
}

TEST(ReadMistakes, rows_with_bad_cells_are_left_out_whole) {
  Lenient lenient(OnError::skip);
  const Table table = read_csv_text(kBadCells, lenient.options);
  EXPECT_THAT(texts_of(table.column("job")), ElementsAre("clerk", "cook"));
  EXPECT_THAT(table.column("age").values, ElementsAre(31, 46));
  EXPECT_THAT(lenient.skipped, ElementsAre(1, 2));
  ASSERT_EQ(lenient.warnings.size(), 1);
  EXPECT_THAT(lenient.warnings[0], HasSubstr("test.csv: left out 2 of 4 rows: line 3"));
}

TEST(ReadMistakes, stopping_names_the_first_and_the_way_to_read_on) {
  Lenient lenient(OnError::stop);
  const std::string cell = error_of([&] { read_csv_text(kBadCells, lenient.options); });
  EXPECT_THAT(cell, HasSubstr("test.csv:3: column 'age': 'old' is not a number"));
  EXPECT_THAT(cell, HasSubstr("--on-error missing or skip"));
  EXPECT_THAT(error_of([&] { read_csv_text("a,b\n1\n", lenient.options); }),
              HasSubstr("--on-error missing or skip"));
}

TEST(ReadMistakes, a_good_file_gets_no_warning) {
  Lenient lenient(OnError::skip);
  EXPECT_EQ(read_csv_text("age,job\n1,a\n,b\n", lenient.options).num_rows(), 2);
  EXPECT_THAT(lenient.warnings, IsEmpty());
}

TEST(ReadMistakes, short_rows_are_filled_and_long_ones_emptied) {
  Lenient lenient(OnError::missing);
  const Table table = read_csv_text(
      "age,job,town\r\n"
      "1,\"a\r\nb\"\r\n"
      "2,x,y,\r\n"
      "3,x,y,z\r\n"
      "4,x,\"y\"\r\n"
      "5\r\n",
      lenient.options);
  EXPECT_THAT(texts_of(table.column("age")), ElementsAre("1", "2", "", "4", "5"));
  EXPECT_THAT(texts_of(table.column("job")), ElementsAre("a\r\nb", "x", "", "x", ""));
  EXPECT_THAT(texts_of(table.column("town")), ElementsAre("", "y", "", "y", ""));
  EXPECT_THAT(lenient.warnings,
              ElementsAre("test.csv: 4 mistakes in 4 of 5 rows, read as missing: line 2: 2 cells "
                          "instead of 3; line 4: 4 cells instead of 3; line 5: 4 cells instead of "
                          "3; …"));
}

TEST(ReadMistakes, lines_keep_their_numbers_after_a_mended_row) {
  Lenient lenient(OnError::skip);
  read_csv_text("age,job\n1,\"a\n\nb\",c\nold,x\n", lenient.options);
  EXPECT_THAT(lenient.warnings[0], HasSubstr("line 5, column 'age': 'old'"));
}

TEST(ReadMistakes, a_table_of_one_column_has_long_rows_only) {
  Lenient lenient(OnError::missing);
  lenient.options.delimiter = ',';
  const Table table = read_csv_text("age\n1\n2,3\n\n4,\nx\n", lenient.options);
  EXPECT_THAT(texts_of(table.column("age")), ElementsAre("1", "", "", "4", ""));
  EXPECT_THAT(lenient.warnings[0], HasSubstr("line 6, column 'age': 'x'"));
}

TEST(ReadMistakes, the_result_does_not_depend_on_chunks) {
  std::string text = "age,day,job\n";
  for (int row = 0; row < 300; ++row) {
    text += row % 7 == 3    ? "x,1.1.2020,a\n"
            : row % 11 == 5 ? "1\n"
            : row % 13 == 2 ? "2,never,\"b\nc\"\n"
                            : "3,2.1.2020,d\n";
  }
  Lenient whole(OnError::skip);
  const Table expected = read_csv_text(text, whole.options);
  Lenient cut(OnError::skip);
  const Table table = read_csv_text(text, cut.options, 64);
  EXPECT_EQ(cut.warnings, whole.warnings);
  EXPECT_EQ(cut.skipped, whole.skipped);
  EXPECT_EQ(texts_of(table.column("job")), texts_of(expected.column("job")));
  EXPECT_EQ(texts_of(table.column("day")), texts_of(expected.column("day")));
}

TEST(ReadMistakes, an_order_of_dates_is_found_among_those_that_are_dates) {
  Lenient lenient(OnError::missing);
  lenient.options.read_as = {{"day", {ColumnKind::datetime, {}}}};
  const Table table = read_csv_text("day\n31/12/2020\nsoon\n01/02/2020\n", lenient.options);
  EXPECT_THAT(texts_of(table.column("day")), ElementsAre("2020-12-31", "", "2020-02-01"));
}

constexpr const char* kArff =
    "@relation r\n@attribute age numeric\n@attribute day string\n@attribute job {a,b}\n@data\n"
    "1,01.01.2020,a\n"
    "old,01.01.2020,b\n"
    "2,01.01.2020\n"
    "3,soon,c\n"
    "4,01.01.2020,a,b\n"
    "{0 5}\n";

TEST(ReadMistakes, arff_files_are_read_alike) {
  Lenient missing(OnError::missing);
  const Table table = read_arff_text(kArff, missing.options);
  EXPECT_THAT(texts_of(table.column("age")), ElementsAre("1", "", "2", "3", "", "5"));
  EXPECT_THAT(texts_of(table.column("job")), ElementsAre("a", "b", "", "", "", "a"));
  EXPECT_TRUE(table.column("day").is_missing(3));
  EXPECT_THAT(missing.warnings,
              ElementsAre("test.arff: 5 mistakes in 4 of 6 rows, read as missing: line 7, column "
                          "'age': 'old' is not a number; line 8, 2 values, but the header declares "
                          "3 attributes; line 9, column 'job': 'c' is not among the levels that "
                          "its @attribute line declares; …"));
  Lenient skip(OnError::skip);
  EXPECT_THAT(read_arff_text(kArff, skip.options).column("age").values, ElementsAre(1, 5));
  EXPECT_THAT(skip.skipped, ElementsAre(1, 2, 3, 4));
}

Table frame() {
  return Table({{.name = "age",
                 .kind = ColumnKind::categorical,
                 .codes = {0, 1, -1},
                 .levels = {"7", "seven"}},
                {.name = "x", .values = {1, 2, 3}}});
}

Table settled_frame(const ReadOptions& options) {
  return settle_frame(frame().columns(), options, /*looks_at_texts=*/false, "the table");
}

TEST(ReadMistakes, texts_of_a_frame_are_read_alike) {
  Lenient missing(OnError::missing);
  EXPECT_THAT(texts_of(settled_frame(missing.options).column("age")), ElementsAre("7", "", ""));
  EXPECT_THAT(missing.warnings, ElementsAre("the table: 1 mistake in 1 of 3 rows, read as missing: "
                                            "row 2, column 'age': 'seven' is not a number"));
  Lenient skip(OnError::skip);
  const Table kept = settled_frame(skip.options);
  EXPECT_THAT(kept.column("x").values, ElementsAre(1, 3));
  EXPECT_EQ(kept.row_number(1), 3);
  Lenient stop(OnError::stop);
  EXPECT_THAT(error_of([&] { settled_frame(stop.options); }),
              HasSubstr("row 2, column 'age': 'seven' is not a number"));
}

TEST(ReadMistakes, a_whole_column_of_another_kind_is_an_error_all_the_same) {
  Lenient lenient(OnError::missing);
  lenient.options.read_as = {{"x", {ColumnKind::datetime, "ymd"}}};
  EXPECT_THAT(error_of([&] { settled_frame(lenient.options); }), HasSubstr("is not a date"));
}

}  // namespace
}  // namespace softwood
