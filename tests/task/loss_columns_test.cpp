#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "softwood/error.h"
#include "task/responses.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The loss reads three columns: `event` only to learn, `years` to predict, `scale` in its cdf.
constexpr const char* kLoss =
    "outputs f; loss = (y - years*f)^2*event + 0*scale; mean = years*f; "
    "cdf(q) = normal_cdf((q - years*f)/scale)";

Table table() {
  return Table({{.name = "y", .values = {1, 2}},
                {.name = "years", .values = {3, 4}},
                {.name = "scale", .values = {5, 6}},
                {.name = "event", .values = {0, 1}}});
}

Task task() {
  const Table all = table();
  return make_task({.target = "y", .loss = kLoss}, {&all});
}

/// Name → values.
std::vector<double> column(const Task& task, const LossColumns& data, const std::string& name) {
  for (std::size_t index = 0; index < data.columns.size(); ++index) {
    if (task.program.columns()[index] == name) return data.columns[index];
  }
  ADD_FAILURE() << "the loss does not read " << name;
  return {};
}

TEST(LossColumns, predictions_read_only_what_they_need) {
  const Task all = task();
  const LossColumns data = read_prediction_columns(all, table());
  EXPECT_THAT(column(all, data, "years"), ElementsAre(3, 4));
  EXPECT_THAT(column(all, data, "scale"), IsEmpty());
  EXPECT_THAT(column(all, data, "event"), IsEmpty());
  EXPECT_TRUE(data.view().y.empty());
  EXPECT_EQ(data.view().columns.size(), 3u);
}

TEST(LossColumns, distributions_read_what_the_cdf_needs_too) {
  const Task all = task();
  const LossColumns data = read_distribution_columns(all, table());
  EXPECT_THAT(column(all, data, "years"), ElementsAre(3, 4));
  EXPECT_THAT(column(all, data, "scale"), ElementsAre(5, 6));
  EXPECT_THAT(column(all, data, "event"), IsEmpty());
}

TEST(LossColumns, a_column_that_is_not_needed_may_be_absent) {
  const Task all = task();
  const Table some({{.name = "years", .values = {3}}});
  EXPECT_NO_THROW(read_prediction_columns(all, some));
  EXPECT_THROW(read_distribution_columns(all, some), Error);
}

}  // namespace
}  // namespace softwood
