#include "data/table/table_rows.h"

#include "data/reading.h"

namespace softwood {
namespace {

using ::testing::ElementsAre;

const std::string kText = "n,t,d\n1,a,2016-01-01\n2,b,2016-01-02\n3,,2016-01-03\n";

TEST(TableRows, a_view_of_rows_shares_the_numbers) {
  const auto table = std::make_shared<const Table>(read_csv_text(kText));
  const Column& column = table->column("n");
  const Column view = view_rows(column, 1, 2, table);
  EXPECT_EQ(view.values.data(), column.values.data() + 1);
  EXPECT_THAT(view.values, ElementsAre(2, 3));
  const Column texts = view_rows(table->column("t"), 1, 2, table);
  EXPECT_THAT(texts_of(texts), ElementsAre("b", ""));
  EXPECT_THAT(texts.levels, ElementsAre("a", "b"));
}

TEST(TableRows, a_view_of_borrowed_cells_depends_on_their_keeper_only) {
  const auto lender = std::make_shared<std::vector<double>>(std::vector<double>{1, 2});
  const Column column{.name = "x", .values = Cells<double>::borrow(*lender, lender)};
  const auto keeper = std::make_shared<int>(0);
  const Column view = view_rows(column, 0, 2, keeper);
  EXPECT_EQ(keeper.use_count(), 1);
  EXPECT_EQ(lender.use_count(), 3);
}

TEST(TableRows, selected_rows_come_in_the_order_asked_for) {
  const Table selected = select_rows(read_csv_text(kText), std::vector<std::int64_t>{2, 0, 0});
  EXPECT_THAT(selected.column("n").values, ElementsAre(3, 1, 1));
  EXPECT_THAT(texts_of(selected.column("t")), ElementsAre("", "a", "a"));
  EXPECT_THAT(texts_of(selected.column("d")),
              ElementsAre("2016-01-03", "2016-01-01", "2016-01-01"));
  EXPECT_EQ(selected.column("d").date_order, "ymd");
  EXPECT_EQ(selected.origin, "test.csv");
}

}  // namespace
}  // namespace softwood
