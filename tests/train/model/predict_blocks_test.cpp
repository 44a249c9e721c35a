#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "data/table/row_blocks.h"
#include "model/synthetic_table.h"
#include "softwood/model.h"
#include "softwood/train.h"

namespace softwood {
namespace {

/// A distribution that is searched for, not looked up.
constexpr const char* kSearched =
    "outputs f; loss = (y - f)^2; mean = f; cdf(q) = sigmoid(3*(q - f)) ";

void expect_blocks_are_the_whole(const std::string& loss, std::size_t block_rows) {
  const Table table = synthetic_table(200);
  const Model model = train(table, quick_options("y", loss));
  PredictOptions options{.quantiles = {0.05, 0.5},
                         .intervals = {0.9},
                         .prob_above = {0.5},
                         .samples = 3,
                         .seed = 7,
                         .moments = true};
  const Predictions whole = model.predict(table, options);
  const std::vector<std::string> names = table.names();
  for (; options.first_row < table.num_rows(); options.first_row += block_rows) {
    const std::size_t first = options.first_row;
    const std::size_t count = std::min(block_rows, table.num_rows() - first);
    const Predictions block = model.predict(copy_rows(table, names, first, count), options);
    ASSERT_EQ(block.table().names(), whole.table().names());
    for (const std::string& name : block.table().names()) {
      EXPECT_EQ(0,
                std::memcmp(block[name].data(), whole[name].data() + first, count * sizeof(double)))
          << name << " from row " << first;
    }
  }
}

TEST(PredictInBlocks, blocks_of_seven_rows_have_the_bits_of_the_whole) {
  expect_blocks_are_the_whole("normal", 7);
  expect_blocks_are_the_whole("student_t", 7);
  expect_blocks_are_the_whole(kSearched, 7);
}

}  // namespace
}  // namespace softwood
