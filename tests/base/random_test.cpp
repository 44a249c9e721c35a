#include "base/random.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace softwood {
namespace {

TEST(RandomStream, same_seed_purpose_and_counter_give_the_same_bits) {
  EXPECT_EQ(RandomStream(7, "shuffle", 3).bits(11), RandomStream(7, "shuffle", 3).bits(11));
}

TEST(RandomStream, seed_purpose_index_and_counter_all_matter) {
  const std::uint64_t bits = RandomStream(7, "shuffle", 3).bits(11);
  EXPECT_NE(bits, RandomStream(8, "shuffle", 3).bits(11));
  EXPECT_NE(bits, RandomStream(7, "split", 3).bits(11));
  EXPECT_NE(bits, RandomStream(7, "shuffle", 4).bits(11));
  EXPECT_NE(bits, RandomStream(7, "shuffle", 3).bits(12));
}

TEST(RandomStream, uniform_has_the_right_mean_and_range) {
  const RandomStream stream(1, "test");
  double sum = 0;
  for (int counter = 0; counter < 100000; ++counter) {
    const double value = stream.uniform(counter);
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    sum += value;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);
}

TEST(RandomStream, shuffling_permutes_uniformly) {
  // Each of the 24 orders of four items should come up about equally often.
  std::vector<int> seen(256, 0);
  for (std::uint64_t index = 0; index < 24000; ++index) {
    std::vector<std::uint32_t> items = {0, 1, 2, 3};
    RandomStream(5, "shuffle", index).shuffle(items);
    ++seen[items[0] * 64 + items[1] * 16 + items[2] * 4 + items[3]];
  }
  EXPECT_EQ(std::count_if(seen.begin(), seen.end(), [](int count) { return count > 0; }), 24);
  for (const int count : seen) {
    if (count > 0) {
      EXPECT_NEAR(count, 1000, 200);
    }
  }
}

}  // namespace
}  // namespace softwood
