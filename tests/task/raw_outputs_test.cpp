#include "task/raw_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loss/catalogue/find_loss.h"

namespace softwood {
namespace {

using testing::ElementsAre;

TEST(RawOutputs, each_output_has_its_offset_and_unit) {
  Task first, second;
  first.program = LossProgram::compile(find_loss("normal"));
  first.units = {.offset = {10, 1}, .unit = {2, 3}, .loss_scale = 1};
  second.program = LossProgram::compile(find_loss("squared"));
  second.units = {.offset = {-5}, .unit = {0.5}, .loss_scale = 1};
  const Tasks tasks({first, second});
  EXPECT_THAT(constant_offsets(tasks), ElementsAre(10, 1, -5));
  const std::vector<double> g = {1, 2, 3, 4, 5, 6};  // [3 outputs × 2 rows]
  EXPECT_THAT(in_units(tasks, g), ElementsAre(12, 14, 10, 13, -2.5, -2));
  EXPECT_THAT(in_units(tasks, std::vector{0.0, 0.0, 0.0}, g), ElementsAre(2, 4, 9, 12, 2.5, 3));
}

}  // namespace
}  // namespace softwood
