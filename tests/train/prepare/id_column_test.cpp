#include "train/prepare/id_column.h"

#include <cmath>

#include <gtest/gtest.h>

namespace softwood {
namespace {

template <class Value>
bool is_id(const std::string& name, const Value& value, std::size_t rows = 40) {
  Column column{.name = name};
  for (std::size_t row = 0; row < rows; ++row) column.values.push_back(value(row));
  return looks_like_id(column).has_value();
}

double from_one(std::size_t row) {
  return static_cast<double>(row + 1);
}
/// Whole, all different, in no order.
double scattered(std::size_t row) {
  return static_cast<double>(1000 + row * 37 % 101);
}

TEST(IdColumn, the_number_of_the_row_is_one_whatever_it_is_called) {
  EXPECT_TRUE(is_id("x1", from_one));
  EXPECT_TRUE(is_id("instant", from_one));
  EXPECT_TRUE(is_id("RowNumber", [](std::size_t row) { return static_cast<double>(row); }));
}

TEST(IdColumn, times_count_up_too) {
  for (const char* name : {"year", "day", "t", "time_step", "Week", "MonthOfStudy", "age"}) {
    EXPECT_FALSE(is_id(name, from_one)) << name;
  }
  EXPECT_FALSE(is_id("x", [](std::size_t row) { return 1980.0 + static_cast<double>(row); }));
}

TEST(IdColumn, a_name_and_numbers_that_hardly_repeat_make_one) {
  for (const char* name : {"id", "ID", "CustomerId", "order_id", "IDpol", "Unnamed: 0", "index"}) {
    EXPECT_TRUE(is_id(name, scattered)) << name;
  }
  EXPECT_FALSE(is_id("price", scattered));
  EXPECT_FALSE(is_id("width", scattered));
  EXPECT_FALSE(is_id("idea", scattered));
  EXPECT_FALSE(is_id("id", [](std::size_t row) { return std::floor(scattered(row) / 4); }));
  EXPECT_FALSE(is_id("id", [](std::size_t row) { return std::sqrt(scattered(row)); }));
}

TEST(IdColumn, a_few_rows_say_nothing) {
  EXPECT_FALSE(is_id("id", from_one, 10));
}

}  // namespace
}  // namespace softwood
