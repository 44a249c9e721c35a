#include "base/out_of_memory.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace softwood {
namespace {

template <class Work>
std::string message_of(const Work& work) {
  try {
    name_lack_of_memory("cakes are baked", "bake fewer", work);
  } catch (const OutOfMemory& error) {
    return error.what();
  }
  return "no error";
}

TEST(NameLackOfMemory, it_is_named_by_what_was_under_way) {
  const std::string expected = "out of memory while cakes are baked: bake fewer.";
  EXPECT_EQ(message_of([] { throw std::bad_alloc(); }), expected);
  EXPECT_EQ(message_of([] { std::vector<double>().reserve(SIZE_MAX / 4); }), expected);
}

TEST(NameLackOfMemory, results_and_other_errors_go_through) {
  EXPECT_EQ(name_lack_of_memory("x", "y", [] { return 7; }), 7);
  EXPECT_THROW(name_lack_of_memory("x", "y", [] { throw Error("other"); }), Error);
}

}  // namespace
}  // namespace softwood
