#include "base/simd_target.h"

#include <string>

#include <gtest/gtest.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/simd_target_test.cpp"
// Highway wants this order.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

std::string compiled_for() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace softwood {
namespace {

HWY_EXPORT(compiled_for);

std::string target_of_kernels() {
  return HWY_DYNAMIC_DISPATCH(compiled_for)();
}

TEST(SimdTarget, kernels_use_the_target_that_is_forced_also_after_it_was_asked_for) {
  for (const std::string& target : simd_targets()) {
    force_simd_target(target);
    EXPECT_EQ(target_of_kernels(), target);
    EXPECT_EQ(simd_target(), target);
    EXPECT_EQ(target_of_kernels(), target);
  }
  force_simd_target("");
  EXPECT_EQ(target_of_kernels(), simd_targets().front());
}

}  // namespace
}  // namespace softwood
#endif
