#include "base/nearest_name.h"

#include <vector>

#include <gtest/gtest.h>

namespace softwood {
namespace {

const std::vector<std::string> kNames = {"log", "exp", "sigmoid", "Exposure"};

TEST(NearestName, swapped_letters_are_one_mistake) {
  EXPECT_EQ(did_you_mean("lgo", kNames), " Did you mean 'log'?");
}

TEST(NearestName, case_is_ignored) {
  EXPECT_EQ(did_you_mean("exposure", kNames), " Did you mean 'Exposure'?");
}

TEST(NearestName, far_names_suggest_nothing) {
  EXPECT_EQ(did_you_mean("banana", kNames), "");
}

TEST(NearestName, no_candidates_suggest_nothing) {
  EXPECT_EQ(did_you_mean("log", {}), "");
}

}  // namespace
}  // namespace softwood
