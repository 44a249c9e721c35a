#include "base/even_parts.h"

#include <gtest/gtest.h>

namespace softwood {
namespace {

TEST(EvenParts, cover_everything_once) {
  for (const std::size_t count : {0u, 1u, 2u, 7u, 100u}) {
    std::size_t next = 0;
    for (std::size_t part = 0; part < 3; ++part) {
      const auto [begin, end] = even_part(count, part, 3);
      EXPECT_EQ(begin, next);
      next = end;
    }
    EXPECT_EQ(next, count);
  }
}

}  // namespace
}  // namespace softwood
