#include "data/table/convert_column.h"

#include <cmath>

#include "data/reading.h"

namespace softwood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Column texts_column(std::vector<std::int32_t> codes, std::vector<std::string> levels) {
  return {.name = "x",
          .kind = ColumnKind::categorical,
          .codes = std::move(codes),
          .levels = std::move(levels)};
}

TEST(ConvertColumn, the_kind_it_has_changes_nothing) {
  const Column column = texts_column({0}, {"7"});
  EXPECT_EQ(convert_column(column, {ColumnKind::categorical}).levels, column.levels);
}

TEST(ConvertColumn, numbers_and_dates_become_texts_in_order_of_appearance) {
  const Column numbers{.name = "x", .values = {3, std::nan(""), 2.5, 3}};
  const Column texts = convert_column(numbers, {ColumnKind::categorical});
  EXPECT_THAT(texts.levels, ElementsAre("3", "2.5"));
  EXPECT_THAT(texts.codes, ElementsAre(0, -1, 1, 0));
  EXPECT_TRUE(texts.values.empty());
  const Column dates{.name = "x", .kind = ColumnKind::datetime, .values = {86400}};
  EXPECT_THAT(convert_column(dates, {ColumnKind::categorical}).levels, ElementsAre("1970-01-02"));
}

TEST(ConvertColumn, texts_become_numbers_and_truths_one_and_zero) {
  const Column column = convert_column(
      texts_column({0, 1, 2, 3, -1}, {"1e3", "True", "false", "NA"}), {ColumnKind::numeric});
  EXPECT_EQ(column.kind, ColumnKind::numeric);
  EXPECT_THAT(texts_of(column), ElementsAre("1000", "1", "0", "", ""));
}

TEST(ConvertColumn, texts_become_dates_in_the_order_learned) {
  const Column column =
      convert_column(texts_column({0}, {"02/03/2016"}), {ColumnKind::datetime, "dmy"});
  EXPECT_THAT(texts_of(column), ElementsAre("2016-03-02"));
}

TEST(ConvertColumn, a_text_that_is_no_number_or_date_is_named_with_its_row) {
  const Column column = texts_column({0, 1}, {"7", "seven"});
  EXPECT_THAT(error_of([&] { convert_column(column, {ColumnKind::numeric}); }),
              HasSubstr("row 2, column 'x': 'seven' is not a number"));
  EXPECT_THAT(error_of([&] {
                convert_column(column, {ColumnKind::datetime, "ymd"});
              }),
              HasSubstr("row 1, column 'x': '7' is not a date written ymd"));
}

TEST(ConvertColumn, numbers_are_no_dates_nor_dates_numbers_unless_all_are_missing) {
  const Column numbers{.name = "x", .values = {std::nan(""), 5}};
  EXPECT_THAT(error_of([&] { convert_column(numbers, {ColumnKind::datetime}); }),
              HasSubstr("row 2, column 'x': '5' is not a date"));
  const Column missing{.name = "x", .values = {std::nan("")}};
  EXPECT_EQ(convert_column(missing, {ColumnKind::datetime, "dmy"}).date_order, "dmy");
}

}  // namespace
}  // namespace softwood
