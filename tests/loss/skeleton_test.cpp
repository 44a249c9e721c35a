#include <gtest/gtest.h>
TEST(Skeleton, exists) {}
