#include "options/old_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "options/options_json.h"
#include "options/set_option.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(OldNames, lead_to_those_of_today) {
  EXPECT_EQ(name_today("group"), "keep-together");
  EXPECT_EQ(name_today("groups"), "ensemble");
  EXPECT_EQ(name_today("depth"), "depth");
}

TEST(OldNames, old_words_are_replaced_with_a_warning) {
  TrainOptions options;
  set_option(options, "schedule", "coslog4");
  std::vector<std::string> told;
  const auto warn = [&](const std::string& text) { told.push_back(text); };
  EXPECT_EQ(with_values_of_today(options, warn).schedule, "four_cycles");
  EXPECT_THAT(told, ElementsAre(HasSubstr("'coslog4' is called 'four_cycles' now")));
  told.clear();
  options.schedule = "cosine";
  options.weight = "coslog4";  // a column may be called so
  EXPECT_EQ(with_values_of_today(options, warn).schedule, "cosine");
  EXPECT_EQ(with_values_of_today(options, warn).weight, "coslog4");
  EXPECT_THAT(told, IsEmpty());
}

TEST(OldNames, options_of_old_models_are_understood) {
  const nlohmann::json old = {{"tasks", nlohmann::json::array()},
                              {"group", "patient"},
                              {"groups", "wide=4"},
                              {"schedule", "coslog4"}};
  const TrainOptions options = options_from_json(old);
  EXPECT_EQ(options.keep_together, "patient");
  EXPECT_EQ(options.ensemble, "wide=4");
  EXPECT_EQ(options.schedule, "four_cycles");
}

TEST(OldNames, are_not_written) {
  TrainOptions options;
  options.keep_together = "patient";
  const nlohmann::json written = options_to_json(options);
  EXPECT_EQ(written.at("keep-together"), "patient");
  EXPECT_FALSE(written.contains("group"));
  EXPECT_FALSE(written.contains("groups"));
  EXPECT_EQ(options_from_json(written).keep_together, "patient");
}

}  // namespace
}  // namespace softwood
