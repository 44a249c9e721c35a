#include "data/table/settle_frame.h"

#include <gtest/gtest.h>

#include "data/reading.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A frame's column of texts, all different.
Column texts(std::string name, std::vector<std::string> levels, bool undeclared = true) {
  Column column{.name = std::move(name), .kind = ColumnKind::categorical};
  for (std::size_t row = 0; row < levels.size(); ++row) {
    column.codes.push_back(static_cast<std::int32_t>(row));
  }
  column.levels = std::move(levels);
  column.undeclared = undeclared;
  return column;
}

std::vector<Column> columns_of(Column first, Column second) {
  return {std::move(first), std::move(second)};
}

TEST(SettleFrame, undeclared_texts_are_read_as_in_a_file) {
  const Table table = settle_frame(
      columns_of(texts("n", {"1", "-", "2.5"}), texts("t", {"a", "N/A", "-"})), {}, true);
  EXPECT_EQ(table.column("n").kind, ColumnKind::numeric);
  EXPECT_THAT(texts_of(table.column("n")), ElementsAre("1", "", "2.5"));
  EXPECT_THAT(table.column("t").levels, ElementsAre("a", "-"));
  EXPECT_THAT(table.column("t").codes, ElementsAre(0, -1, 1));
}

TEST(SettleFrame, declared_texts_and_texts_not_looked_at_stay) {
  for (const bool undeclared : {false, true}) {
    const Table table = settle_frame({texts("n", {"1", "NA"}, undeclared)}, {}, !undeclared);
    EXPECT_THAT(texts_of(table.column("n")), ElementsAre("1", "NA"));
    EXPECT_FALSE(table.column("n").undeclared);
  }
}

TEST(SettleFrame, fractions_tell_what_the_point_means) {
  const Column fractions{.name = "f", .values = {1, 2.5}}, whole{.name = "f", .values = {1, 2}};
  std::vector<std::string> warnings;
  ReadOptions options;
  options.on_warning = [&](const std::string& warning) { warnings.push_back(warning); };
  const Table told = settle_frame(columns_of(texts("n", {"1,234", "5"}), fractions), options, true);
  EXPECT_THAT(told.column("n").values, ElementsAre(1234, 5));
  EXPECT_THAT(warnings, IsEmpty());
  const Table untold = settle_frame(columns_of(texts("n", {"1,234", "5"}), whole), options, true);
  EXPECT_TRUE(untold.column("n").undeclared);
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("'1,234' in column 'n' (row 1)")));
}

TEST(SettleFrame, a_kind_that_is_wanted_is_obeyed_or_refused) {
  const ReadOptions options{.read_as = {{"n", {ColumnKind::numeric}}}};
  EXPECT_THAT(
      settle_frame(columns_of(texts("n", {"0,5", "$7"}), texts("m", {"1,5", "x"})), options, true)
          .column("n")
          .values,
      ElementsAre(0.5, 7));
  EXPECT_THAT(error_of([&] {
                settle_frame({texts("n", {"7", "1,234"})}, options, true);
              }),
              HasSubstr("row 2, column 'n': nothing tells how to read '1,234'"));
}

TEST(SettleFrame, columns_without_rows_keep_their_kind) {
  EXPECT_EQ(settle_frame({texts("t", {})}, {}, true).column("t").kind, ColumnKind::categorical);
  EXPECT_EQ(settle_frame({texts("t", {"NA"})}, {}, true).column("t").kind, ColumnKind::numeric);
}

}  // namespace
}  // namespace softwood
