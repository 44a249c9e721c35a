#include "softwood/cells.h"

#include <cstdint>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "softwood/table.h"

namespace softwood {
namespace {

using ::testing::ElementsAre;

/// Cells that borrow from a vector that they keep alive, and the vector.
struct Loan {
  std::shared_ptr<std::vector<double>> lender =
      std::make_shared<std::vector<double>>(std::vector<double>{1, 2, 3});
  Cells<double> cells = Cells<double>::borrow(*lender, lender);
};

TEST(Cells, read_like_a_vector) {
  const Cells<double> cells = {1, 2, 3};
  EXPECT_EQ(cells.size(), 3u);
  EXPECT_FALSE(cells.empty());
  EXPECT_EQ(cells[1], 2);
  EXPECT_EQ(cells.front(), 1);
  EXPECT_EQ(cells.back(), 3);
  EXPECT_THAT(cells, ElementsAre(1, 2, 3));
  EXPECT_EQ(cells, (std::vector<double>{1, 2, 3}));
  EXPECT_FALSE(cells == Cells<double>({1, 2}));
}

TEST(Cells, grow_and_shrink_like_a_vector) {
  Cells<std::int32_t> cells;
  cells.reserve(4);
  cells.push_back(7);
  cells.resize(3, 5);
  EXPECT_THAT(cells, ElementsAre(7, 5, 5));
  cells.assign(2, 1);
  EXPECT_THAT(cells, ElementsAre(1, 1));
  const std::vector<int> others = {4, 6};
  cells.assign(others.begin(), others.end());
  EXPECT_THAT(cells, ElementsAre(4, 6));
  cells.clear();
  EXPECT_TRUE(cells.empty());
}

TEST(Cells, borrowed_cells_are_where_the_lender_has_them) {
  const Loan loan;
  EXPECT_TRUE(loan.cells.is_borrowed());
  EXPECT_EQ(loan.cells.data(), loan.lender->data());
  EXPECT_THAT(loan.cells, ElementsAre(1, 2, 3));
}

TEST(Cells, copies_and_views_of_borrowed_cells_copy_no_numbers) {
  Loan loan;
  const Column column{.name = "x", .values = loan.cells};
  const Column copy = column;
  EXPECT_EQ(copy.values.data(), loan.lender->data());
  const std::span<const double> view = loan.cells;  // of cells that are not const
  EXPECT_EQ(view.data(), loan.lender->data());
}

TEST(Cells, the_keeper_lives_as_long_as_any_copy) {
  std::weak_ptr<std::vector<double>> lender;
  {
    Cells<double> copy;
    {
      Loan loan;
      lender = loan.lender;
      copy = loan.cells;
    }
    EXPECT_FALSE(lender.expired());
    EXPECT_THAT(copy, ElementsAre(1, 2, 3));
  }
  EXPECT_TRUE(lender.expired());
}

TEST(Cells, changing_borrowed_cells_leaves_the_lender_alone) {
  const std::vector<std::function<void(Cells<double>&)>> changes = {
      [](Cells<double>& cells) { cells[0] = 9; },
      [](Cells<double>& cells) { cells.push_back(9); },
      [](Cells<double>& cells) { cells.resize(5); },
      [](Cells<double>& cells) { std::fill(cells.begin(), cells.end(), 9.0); },
      [](Cells<double>& cells) { cells.assign(3, 9); },
      [](Cells<double>& cells) { cells.clear(); },
  };
  for (const auto& change : changes) {
    Loan loan;
    Cells<double> changed = loan.cells;
    change(changed);
    EXPECT_FALSE(changed.is_borrowed());
    EXPECT_FALSE(changed == loan.cells);
    EXPECT_THAT(*loan.lender, ElementsAre(1, 2, 3));
  }
}

TEST(Cells, what_was_borrowed_stays_when_more_is_added) {
  Loan loan;
  loan.cells.push_back(4);
  EXPECT_THAT(loan.cells, ElementsAre(1, 2, 3, 4));
}

TEST(Cells, moved_from_cells_are_empty) {
  Loan loan;
  const Cells<double> moved = std::move(loan.cells);
  EXPECT_THAT(moved, ElementsAre(1, 2, 3));
  EXPECT_TRUE(loan.cells.empty());  // NOLINT(bugprone-use-after-move)
}

}  // namespace
}  // namespace softwood
